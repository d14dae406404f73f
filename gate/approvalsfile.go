package gate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
)

// approvalsVersion is the one format that is read and written (APR-20).
const approvalsVersion = 1

// An ApprovalsError says where a saved approvals file can't be understood.
type ApprovalsError struct {
	Path         string
	Line, Column int // from 1
	Err          error
}

func (e *ApprovalsError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v; mend the file, or move it away to start with no saved approvals", e.Path, e.Line, e.Column, e.Err)
}

func (e *ApprovalsError) Unwrap() error { return e.Err }

func readApprovals(path string) (map[string]SavedKey, map[string]json.RawMessage, error) {
	if err := regular(path); err != nil {
		return nil, nil, fmt.Errorf("read approvals: %w", err)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]SavedKey{}, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read approvals: %w", err)
	}
	keys, extra, offset, err := decodeApprovals(data)
	if err != nil {
		before := data[:min(int(offset), len(data))]
		line := bytes.Count(before, []byte("\n")) + 1
		return nil, nil, &ApprovalsError{Path: path, Line: line, Column: len(before) - bytes.LastIndexByte(before, '\n'), Err: err}
	}
	return keys, extra, nil
}

func decodeApprovals(data []byte) (map[string]SavedKey, map[string]json.RawMessage, int64, error) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, nil, errorOffset(err), err
	}
	var version int
	if err := json.Unmarshal(file["version"], &version); err != nil || version != approvalsVersion {
		at := int64(max(0, bytes.Index(data, []byte(`"version"`))))
		return nil, nil, at, fmt.Errorf("version %s is not understood, only %d is", cmp.Or(string(file["version"]), "(missing)"), approvalsVersion)
	}
	var rules []map[string]json.RawMessage
	rulesAt := int64(max(0, bytes.Index(data, []byte(`"rules"`))))
	if err := json.Unmarshal(file["rules"], &rules); err != nil {
		return nil, nil, rulesAt, fmt.Errorf("rules: %w", err)
	}
	delete(file, "version")
	delete(file, "rules")
	keys := map[string]SavedKey{}
	for i, r := range rules {
		k, err := decodeKey(r)
		if err != nil {
			return nil, nil, rulesAt, fmt.Errorf("rule %d: %w", i+1, err)
		}
		keys[k.Key] = k
	}
	return keys, file, 0, nil
}

func decodeKey(r map[string]json.RawMessage) (SavedKey, error) {
	k := SavedKey{extra: r}
	for _, field := range []struct {
		name string
		into any
	}{{"key", &k.Key}, {"label", &k.Label}, {"added", &k.Added}} {
		if raw, ok := r[field.name]; ok {
			if err := json.Unmarshal(raw, field.into); err != nil {
				return k, fmt.Errorf("%s: %w", field.name, err)
			}
		}
		delete(r, field.name)
	}
	if k.Key == "" {
		return k, errors.New("it has no key")
	}
	return k, nil
}

func errorOffset(err error) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return max(0, syntax.Offset-1)
	case errors.As(err, &kind):
		return kind.Offset
	}
	return 0
}

// encodeApprovals writes rules sorted by key, and fields that this version
// doesn't know behind the known ones.
func encodeApprovals(keys map[string]SavedKey, extra map[string]json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"version\":%d,\"rules\":[", approvalsVersion)
	for i, k := range sortedKeys(keys) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n{")
		if err := encodeFields(&b, []string{"key", "label", "added"}, []any{k.Key, k.Label, k.Added}, k.extra); err != nil {
			return nil, err
		}
		b.WriteByte('}')
	}
	if len(keys) > 0 {
		b.WriteByte('\n')
	}
	b.WriteByte(']')
	if len(extra) > 0 {
		b.WriteByte(',')
		if err := encodeFields(&b, nil, nil, extra); err != nil {
			return nil, err
		}
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}

func encodeFields(b *bytes.Buffer, names []string, values []any, extra map[string]json.RawMessage) error {
	more := make([]string, 0, len(extra))
	for name := range extra {
		more = append(more, name)
	}
	sort.Strings(more)
	for i, name := range append(names, more...) {
		var value any
		if i < len(values) {
			value = values[i]
		} else {
			value = extra[name]
		}
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		label, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(label)
		b.WriteByte(':')
		b.Write(data)
	}
	return nil
}
