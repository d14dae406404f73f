package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/blitz-approve/blitz-approve/gate"
)

func TestSavingRefuses(t *testing.T) { // APR-15
	for _, tt := range []struct{ name, text, rule, want string }{
		{"a bad rule", "", "shell()", "bad rule"},
		{"a read rule that allows", "", "read(x)", "can only deny"},
		{"no text", "", "shell(\xff)", "not text in UTF-8"},
		{"broken TOML", "[permissions]\nallow = [\n", "tool", "s.toml:2:10: this is not valid TOML"},
		{"a bad number", "a = 01\n", "tool", "s.toml:1:5: this is not valid TOML"},
		{"a key twice", "[permissions]\nallow = []\nallow = []\n", "tool", "s.toml:3:1: permissions.allow is defined twice"},
		{"no list", "[permissions]\nallow = 'tool'\n", "tool", `s.toml:2:9: permissions.allow is the text "tool": it must be a list`},
		{"a list of tables", "[[permissions.allow]]\n", "tool", "permissions.allow is a list"},
		{"no table", "permissions = 3\n", "tool", "s.toml:1:15: permissions is the number 3: it must be a table"},
		{"tables", "[[permissions]]\n", "tool", "permissions is a list: it must be a table"},
		{"no texts", "[permissions]\nallow = ['a', 3]\n", "tool", "s.toml:2:15: an entry of permissions.allow is the number 3"},
		{"too large", strings.Repeat("#", MaxFileSize-10), "tool", "larger than 8 MB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "s.toml")
			put(t, name, tt.text)
			err := AddRule(name, gate.Allow, tt.rule)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Count(err.Error(), name) > 1 {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if got := content(t, name); got != tt.text {
				t.Errorf("the file is %q now", got[:min(len(got), 100)])
			}
		})
	}
}

func TestSavingMakesFileAndFolders(t *testing.T) { // APR-15
	dir := filepath.Join(t.TempDir(), "home")
	name := filepath.Join(dir, "workspaces", "w", "settings.toml")
	if removed, err := RemoveRule(name, gate.Ask, "tool"); removed || err != nil {
		t.Errorf("removing from no file: %t, %v", removed, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("removing made a folder")
	}
	must(t, AddRule(name, gate.Ask, " tool "))
	if got := content(t, name); got != "[permissions]\nask = [\n  \"tool\",\n]\n" {
		t.Errorf("got %q", got)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, name: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	removed, err := RemoveRule(name, gate.Ask, "tool")
	if got := content(t, name); !removed || err != nil || got != "" {
		t.Errorf("removing the only rule: %t, %v, %q", removed, err, got)
	}
}

func TestSavingFollowsLinks(t *testing.T) { // APR-15
	dir := t.TempDir()
	target := filepath.Join(dir, "dots", "s.toml")
	put(t, target, "# mine\n")
	must(t, os.Chmod(target, 0o644))
	must(t, os.Symlink("dots", filepath.Join(dir, "d")))
	for i, to := range []string{"d/s.toml", target, "d/../dots/s.toml", "link1"} {
		link := filepath.Join(dir, fmt.Sprintf("link%d", i))
		must(t, os.Symlink(to, link))
		must(t, AddRule(link, gate.Allow, fmt.Sprintf("tool%d", i)))
		if to, err := os.Readlink(link); err != nil || to == "" {
			t.Errorf("the link %s is gone: %v", link, err)
		}
		if got := content(t, target); !strings.HasPrefix(got, "# mine\n") || !strings.Contains(got, fmt.Sprintf("tool%d", i)) {
			t.Errorf("by %s: %q", to, got)
		}
	}
	if info, _ := os.Stat(target); info.Mode() != 0o644 {
		t.Errorf("mode %v", info.Mode())
	}
	dangling := filepath.Join(dir, "dangling")
	must(t, os.Symlink("dots/new.toml", dangling))
	must(t, AddRule(dangling, gate.Allow, "tool"))
	content(t, filepath.Join(dir, "dots", "new.toml"))
	circle := filepath.Join(dir, "circle")
	must(t, os.Symlink(circle, circle))
	if err := AddRule(circle, gate.Allow, "tool"); err == nil || !strings.Contains(err.Error(), "too many links") {
		t.Errorf("a circle: %v", err)
	}
	if err := AddRule(dir, gate.Allow, "tool"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// An editor that saves between reading and writing isn't overwritten, though
// it knows nothing of the lock (APR-15).
func TestSavingAgainstAnEditor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "s")
	calls := 0
	err := update(name, func(old []byte) ([]byte, error) {
		if calls++; calls < 4 {
			put(t, name, fmt.Sprint("editor ", calls))
		}
		return append(old, "; we"...), nil
	})
	if got := content(t, name); err != nil || got != "editor 3; we" || calls != 4 {
		t.Errorf("%q after %d calls, %v", got, calls, err)
	}
	calls = 0
	err = update(name, func(old []byte) ([]byte, error) {
		calls++
		put(t, name, fmt.Sprint("editor ", calls))
		return append(old, "; we"...), nil
	})
	if got := content(t, name); !errors.Is(err, errSavedMeanwhile) || got != fmt.Sprint("editor ", calls) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSavingWaitsForTheLock(t *testing.T) { // APR-15
	synctest.Test(t, func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "s")
		l := flock.New(name + ".lock")
		must(t, l.Lock())
		if err := AddRule(name, gate.Allow, "tool"); err == nil || !strings.Contains(err.Error(), "another program holds "+name) {
			t.Errorf("a lock that is never given back: %v", err)
		}
		saved := make(chan error, 1)
		go func() { saved <- AddRule(name, gate.Allow, "tool") }()
		time.Sleep(lockWait / 2)
		if len(saved) > 0 {
			t.Error("saved in spite of the lock:", <-saved)
		}
		must(t, l.Unlock())
		must(t, <-saved)
	})
}

// BEY-08, APR-12: several rules are saved in one step; where one can't be saved,
// none is, and no folder is made for it.
func TestAddingSeveralRules(t *testing.T) {
	name := filepath.Join(t.TempDir(), "home", "settings.toml")
	err := AddRules(name, gate.Allow, "shell(cd *)", "shell(curl -H 'Authorization: Bearer abcdefghijklmnop')")
	if _, missing := os.Stat(filepath.Dir(name)); !errors.Is(err, ErrSecret) || !errors.Is(missing, os.ErrNotExist) {
		t.Errorf("%v, %v", err, missing)
	}
	must(t, AddRules(name, gate.Allow, "shell(cd *)", "shell(go test *)", "shell(cd *)"))
	const both = "[permissions]\nallow = [\n  \"shell(cd *)\",\n  \"shell(go test *)\",\n]\n"
	if got := content(t, name); got != both {
		t.Errorf("got %q", got)
	}
	// One that fits no more takes the one before it back.
	text := both + strings.Repeat("#", MaxFileSize-len(both)-30)
	put(t, name, text)
	if err := AddRules(name, gate.Allow, "shell(make)", "shell(make lint fmt vet)"); err == nil || content(t, name) != text {
		t.Errorf("saved a part of it: %v", err)
	}
}
