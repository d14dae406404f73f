package gate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A linkEnd says where the links in a path lead, from harmless to worst.
type linkEnd uint8

const (
	linkNone    linkEnd = iota
	linkNowhere         // to something that doesn't exist
	linkLoop            // in circles
)

// maxLinks is how many links a path may follow, as in Linux.
const maxLinks = 40

// resolve reads an absolute path as the kernel does, one component after the
// other, so that .. behind a link is the folder above the link's target. What
// doesn't exist is taken as it stands; a link that points nowhere is followed
// as far as it can be read, since a write through it creates the file there
// (TAM-10).
func resolve(file string) (real string, end linkEnd) { return resolveBy(os.Readlink, file) }

func resolveBy(readlink func(string) (string, error), file string) (real string, end linkEnd) {
	volume := filepath.VolumeName(file)
	real = volume + string(filepath.Separator)
	pending, links := filepath.ToSlash(file[len(volume):]), 0
	outside := 0 // so much of pending lies behind the last link that was followed
	missing := false
	for pending != "" {
		inLink := links > 0 && len(pending) > outside
		name, rest, _ := strings.Cut(pending, "/")
		pending = rest
		switch name {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		next := join(real, name)
		if missing {
			real = next
			continue
		}
		target, err := readlink(next)
		if err != nil {
			real = next
			if errors.Is(err, fs.ErrNotExist) {
				if missing = true; inLink {
					end = max(end, linkNowhere)
				}
			}
			continue
		}
		if links++; links > maxLinks {
			return filepath.Clean(file), linkLoop
		}
		if !inLink {
			outside = len(rest)
		}
		if filepath.IsAbs(target) {
			volume = filepath.VolumeName(target)
			real, target = volume+string(filepath.Separator), target[len(volume):]
		}
		pending = filepath.ToSlash(target) + "/" + rest
	}
	return real, end
}

func join(dir, name string) string {
	if strings.HasSuffix(dir, string(filepath.Separator)) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// Leads are the places to which links lead the files of GrantTargets now, in
// that order. A request that was decided on is another one when they change
// (BEY-02).
func (r *Request) Leads() []string {
	var list []string
	for _, t := range r.GrantTargets {
		if filepath.IsAbs(t.Path) {
			list = append(list, RealPath(t.Path))
		}
	}
	return list
}

// RealPath is the place to which an absolute path leads, as the kernel reads
// it. What doesn't exist is taken as it stands.
func RealPath(path string) string {
	real, _ := resolve(path)
	return real
}
