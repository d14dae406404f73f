package filediff

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/blitz-approve/blitz-approve/diffview"
)

const patch = `commit 0123456789
Author: \x1b[2Jsomebody

diff --git a/x.txt b/x.txt
index 1..2 100644
--- a/x.txt
+++ b/x.txt
@@ -1,2 +1,2 @@
 same
-old
+new
`

// A patch is drawn as a request draws the change; what is none keeps its place and
// is escaped.
func TestPatch(t *testing.T) {
	in := strings.ReplaceAll(patch, `\x1b`, "\x1b")
	text, differs, err := patched(in, false)
	if err != nil || !differs {
		t.Fatal(differs, err)
	}
	for _, want := range []string{"commit 0123456789\n", `Author: \u001b[2Jsomebody`, "x.txt  +1 -1\n", " - old\n", " + new\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "@@") || strings.Contains(text, "\x1b") {
		t.Errorf("it passed through:\n%s", text)
	}
	if _, differs, err := patched("nothing here\n", false); err != nil || differs {
		t.Errorf("a text: differs %t, %v", differs, err)
	}
}

// With eachLine every line of a patch is one row, which git's interactive mode needs.
func TestPatchByLines(t *testing.T) {
	text, _, err := patched(patch, true)
	if err != nil || strings.Count(text, "\n") != strings.Count(patch, "\n") {
		t.Errorf("%v, %d rows for %d lines:\n%s", err, strings.Count(text, "\n"), strings.Count(patch, "\n"), text)
	}
}

func patched(in string, eachLine bool) (string, bool, error) {
	var out bytes.Buffer
	p := New(&out, colorprofile.NoTTY, diffview.RenderOptions{Width: 60, Wrap: true}, 0)
	err := errors.Join(p.Patch(context.Background(), strings.NewReader(in), eachLine), p.Flush())
	return out.String(), p.Differs(), err
}
