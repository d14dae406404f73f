package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// sinceForms is how a moment in the past is written on the command line.
const sinceForms = "30m, 24h, 7d or 2w for so long ago, 2026-01-31 or\n'2026-01-31 08:00' for a day and a time"

// parseSince reads a moment in the past: so long before now, or a date in
// local time.
func parseSince(text string, now time.Time) (time.Time, error) {
	if ago, ok := parseAgo(text); ok {
		return now.Add(-ago), nil
	}
	for _, form := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("%q: write %s", text, strings.ReplaceAll(sinceForms, "\n", " "))
}

// parseAgo reads Go's durations, and days and weeks.
func parseAgo(text string) (time.Duration, bool) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			n, err := strconv.ParseUint(number, 10, 12)
			return time.Duration(n) * length, err == nil
		}
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}
