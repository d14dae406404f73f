package settings

import "strings"

// Nearest is the name that word was probably meant to be, or "".
func Nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, least := "", 3
	if len(word) <= 4 {
		least = 2 + len(word)/4
	}
	for _, name := range names {
		if d := distance(word, name, least); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap with their
// neighbour to turn a into b. It gives up at limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
