package shell

import (
	"strings"
	"testing"
)

func BenchmarkReadShort(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Read("git diff HEAD~1 --stat | head -20")
	}
}

func BenchmarkReadScript(b *testing.B) {
	script := strings.Repeat("if grep -q \"x y\" src/a.go; then go test ./... 2>&1 | tail -5; fi\n", 31)
	b.SetBytes(int64(len(script)))
	b.ReportAllocs()
	for b.Loop() {
		Read(script)
	}
}

func BenchmarkResolve(b *testing.B) {
	o := PatternOptions{Patterns: []Pattern{{"rm *", "deny"}, {"git *", "allow"}}, AllowCompound: true, Shell: "/bin/bash"}
	for b.Loop() {
		Resolve("git status && git diff --stat", o)
	}
}
