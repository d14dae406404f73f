package gate

import (
	"strings"
	"testing"
)

// APR-13, APR-15: a search that reads the files of a folder is asked about where
// something in it may not be read, refused where it is for such a file only, and
// told how to leave it out.
func TestReadRulesReachSearches(t *testing.T) {
	g := walkable(t, Yolo, nil, []string{"read(.env)", "read(keys/)", "read(**/*.pem)"},
		".env", "keys/id", "src/a.go", "src/deep/ca.pem", "docs/a.md", ".gitignore=log/\n", ".git/HEAD", "log/l.pem")
	for _, tt := range []struct {
		root   string
		search Search
		want   string
	}{
		{".", Search{}, "may also read"},
		{"src", Search{}, "src/deep/ca.pem"},
		{"docs", Search{}, ""},
		{"docs;src", Search{}, "src/deep/ca.pem"},
		{".", Search{NamesOnly: true, Only: []string{".env"}}, ""},
		{".", Search{Only: []string{"*.go"}}, ""},
		{".", Search{Only: []string{"src/**/*.go"}}, ""},
		{".", Search{Only: []string{"*.go", ".env"}}, "deny"},
		{".", Search{Only: []string{"**/.env"}}, "deny"},
		{"src", Search{Only: []string{"*.pem"}}, "deny"},
		{"src", Search{Only: []string{"*.PEM"}}, "src/deep/ca.pem"},
		{"src", Search{Only: []string{"*.p*"}}, "src/deep/ca.pem"},
		{"src", Search{Only: []string{"deep/**"}}, "src/deep/ca.pem"},
		{"src", Search{Only: []string{"*.[gp]*"}}, "src/deep/ca.pem"},
		{"src", Search{Only: []string{"*.pem"}, Not: []string{"*.pem"}}, "deny"},
		{"src", Search{Not: []string{"*.pem"}}, ""},
		{"src", Search{NotBelow: []string{"deep"}}, ""},
		{".", Search{Not: []string{"*.pem", ".env"}, NotBelow: []string{"keys"}}, ""},
		{".", Search{Not: []string{"*.pem", ".env"}}, "keys/id"},
		{".", Search{Not: []string{".env", "keys", "id", "ca.pem"}, Ignores: true}, ""},
		{".", Search{Not: []string{".env", "keys", "id", "ca.pem"}}, "log/l.pem"},
		{"src", Search{LeaveOut: "glob !"}, "glob '!*.pem' leaves it out"},
		{"src", Search{LeaveOut: "glob !", Only: []string{"*.p*"}}, "may also read"},
	} {
		r := Request{Tool: "Grep", Targets: []string{tt.root}, Search: tt.search, Declared: Declaration{Tier: Read},
			GrantTargets: []GrantTarget{{Kind: GrantTree, Path: tt.root, Tier: Read}}}
		v := g.Check(t.Context(), r)
		switch {
		case tt.want == "" && !v.Allowed(), tt.want == "deny" && (v.Effect != Deny || v.Rule == nil),
			tt.want != "" && tt.want != "deny" && (v.Effect != Ask || !v.Forced || !strings.Contains(v.Reason, tt.want)):
			t.Errorf("%s %+v: %s, %q", tt.root, tt.search, v.Effect, v.Reason)
		}
	}
	below := ReadRequest("read", "src/**")
	if v := g.Check(t.Context(), below); v.Effect != Ask {
		t.Error("a file of a tree:", v.Effect, v.Reason)
	}
}

// APR-13: nothing is looked at where no read rule is.
func TestSearchesWithoutRules(t *testing.T) {
	g := walkable(t, AlwaysAsk, nil, nil, ".env")
	r := ReadRequest("Grep", ".")
	r.GrantTargets[0].Kind = GrantTree
	if v := g.Check(t.Context(), r); !v.Allowed() {
		t.Error(v.Reason)
	}
}
