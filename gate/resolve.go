package gate

import (
	"os"
	"path/filepath"
)

// resolve follows the links of the deepest ancestor that exists. A link that
// points nowhere is followed as far as it can be read, since a write through
// it would create the file there.
func resolve(file string) string {
	rest := ""
	for cur, hops := file, 0; ; {
		if real, err := filepath.EvalSymlinks(cur); err == nil {
			return filepath.Join(real, rest)
		}
		if target, err := os.Readlink(cur); err == nil && hops < 40 {
			hops++
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(cur), target)
			}
			cur = target
			continue
		}
		parent := filepath.Dir(cur)
		if parent == cur {
			return file
		}
		rest = filepath.Join(filepath.Base(cur), rest)
		cur = parent
	}
}
