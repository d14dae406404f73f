package gate

import (
	"errors"
	"path/filepath"
	"testing"
)

// slowEpochs is a store with epochs that looks, whenever it is asked, whether
// the gate could change its mode meanwhile.
type slowEpochs struct {
	memoryGrants
	t     *testing.T
	g     *Gate
	asked int
	err   error
}

var _ GrantEpochs = (*slowEpochs)(nil)

func (s *slowEpochs) look() {
	s.asked++
	if !s.g.mu.TryLock() {
		s.t.Error("the gate waits for its store, and can't change its mode")
		return
	}
	s.g.mu.Unlock()
}

func (s *slowEpochs) Epoch() (string, error) {
	s.look()
	return "1", s.err
}

func (s *slowEpochs) Forgotten(string) (bool, error) {
	s.look()
	return false, s.err
}

// TAM-12, APR-14: a store that takes long to say what is forgotten holds up no
// change of mode; one that can't say it has the person's answer hold once, and
// tells them.
func TestGrantsAskTheStoreUnlocked(t *testing.T) {
	dir := t.TempDir()
	store := &slowEpochs{t: t}
	g, err := New(Options{Workspace: dir, Mode: AlwaysAskCached, Grants: store, Approver: always(Answer{Decision: Once, Grant: GrantExact})})
	if err != nil {
		t.Fatal(err)
	}
	store.g = g
	a, b, c := ReadRequest("read", filepath.Join(dir, "a")), ReadRequest("read", filepath.Join(dir, "b")), ReadRequest("read", filepath.Join(dir, "c"))
	for _, req := range []Request{a, b, a} {
		if v := g.Decide(t.Context(), req); !v.Allowed() || v.Warning != "" {
			t.Errorf("%s by %s, warning %q", v.Effect, v.Cause, v.Warning)
		}
	}
	if store.asked == 0 {
		t.Error("the store was not asked")
	}
	g.ForgetGrants()
	store.err = errors.New("the disk is gone")
	if v := g.Decide(t.Context(), c); !v.Allowed() || v.Warning == "" {
		t.Errorf("%s by %s, warning %q", v.Effect, v.Cause, v.Warning)
	}
	store.err = nil
	if v := g.Check(t.Context(), c); v.Effect != Ask {
		t.Errorf("what couldn't be granted is: %s", v.Cause)
	}
}
