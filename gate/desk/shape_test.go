package desk

import (
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the shape of the frames anew")

// BEY-01: what passes between two processes is what their version says. Fields of
// the gate are on the wire as they are, so that a new one there makes frames that
// an older desk refuses without saying why.
func TestFramesKeepToTheirVersion(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "version %d\n", version)
	seen := map[reflect.Type]bool{}
	for _, frame := range []any{asking{}, answering{}} {
		describe(&b, reflect.TypeOf(frame), seen)
	}
	golden := filepath.Join("testdata", "frames.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("the frames are no longer those of %s\nraise version in frame.go, then go test ./gate/desk -run Frames -update; they are now\n%s", strings.SplitN(string(want), "\n", 2)[0], got)
	}
}

// describe writes the fields of a type, and of those that it holds.
func describe(b *strings.Builder, t reflect.Type, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] || ownForm(t) {
		return
	}
	seen[t] = true
	fmt.Fprintf(b, "\n%s\n", t)
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			fmt.Fprintf(b, "\t%s %s `%s`\n", f.Name, f.Type, f.Tag.Get("json"))
		}
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			describe(b, f.Type, seen)
		}
	}
}

// ownForm reports a type that writes itself.
func ownForm(t reflect.Type) bool {
	for _, face := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(face) || reflect.PointerTo(t).Implements(face) {
			return true
		}
	}
	return false
}
