package cases

import "testing"

// What is wrong with a line is said in the words of the line.
func TestReadFaults(t *testing.T) {
	for line, want := range map[string]string{
		`{"headless":"x"}`:                    "headless can't be a JSON string",
		`{"request":{"command":1}}`:           "request.command can't be a JSON number",
		`{"request":{"targets":["a",false]}}`: "request.targets can't be a JSON bool",
		`[]`:                                  "a case is a JSON object, and this is a JSON array",
		`{"mod":"plan"}`:                      `json: unknown field "mod"`,
		`{"id":"1"`:                           "the JSON on it has no end: a case is one line",
		`{} {}`:                               "there is more than one JSON value on the line",
	} {
		if _, err := Read[Case]([]byte(line)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	type more struct {
		Case
		Plan string `json:"plan"`
	}
	if _, err := Read[more]([]byte(`{"headless":"x"}`)); err == nil || err.Error() != "headless can't be a JSON string" {
		t.Errorf("%v", err)
	}
}
