package gate

import "strings"

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func anyOf(list []string, f func(string) bool) bool {
	for _, s := range list {
		if f(s) {
			return true
		}
	}
	return false
}

func cutMember(target string) (server, tool string, ok bool) { return strings.Cut(target, ":") }
