package settings

// ExplainedKeys are the keys of the table of meanings.
func ExplainedKeys() (keys []string) {
	for _, m := range meanings {
		keys = append(keys, m.key)
	}
	return keys
}
