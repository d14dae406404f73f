package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mountAll gives this process, which must be in a mount namespace of its own,
// the view of the file system that the cage describes.
func mountAll(c *cage) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mounts of its own: %w", err)
	}
	for _, step := range []func(*cage) error{readOnlyButRoots, ownDevices, pinFolders, holdEntries, hideEntries} {
		if err := step(c); err != nil {
			return err
		}
	}
	return nil
}

// readOnlyButRoots makes everything read-only, also by way of other mounts
// that show the same files, and then opens the roots.
func readOnlyButRoots(c *cage) error {
	before, err := mounts()
	if err != nil {
		return err
	}
	for _, root := range c.Roots {
		if err := bind(root, root); err != nil {
			return err
		}
	}
	if err := setReadOnly("/", true, unix.AT_RECURSIVE); err != nil {
		return err
	}
	for _, root := range c.Roots {
		if err := setReadOnly(root, false, 0); err != nil {
			return err
		}
		for _, m := range before {
			if m.path != root && covers(root, m.path) && !m.readOnly {
				if err := setReadOnly(m.path, false, 0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// ownDevices gives the agent pseudo-terminals and shared memory of its own:
// from those of the person it could read what they type.
func ownDevices(*cage) error {
	if err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
		return fmt.Errorf("shared memory of its own: %w", err)
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		return fmt.Errorf("pseudo-terminals of its own: %w", err)
	}
	info, err := os.Lstat("/dev/ptmx")
	if err != nil || info.Mode()&os.ModeSymlink != 0 {
		return nil // a link leads to the new one
	}
	return bind("/dev/pts/ptmx", "/dev/ptmx")
}

// pinFolders makes mount points, which nobody can rename or remove.
func pinFolders(c *cage) error {
	for _, dir := range parentsFirst(c.Pins) {
		if err := bind(dir, dir); err != nil {
			return err
		}
	}
	return nil
}

func holdEntries(c *cage) error {
	for _, path := range parentsFirst(c.Hold) {
		if err := bind(path, path); err != nil {
			return err
		}
		if err := setReadOnly(path, true, unix.AT_RECURSIVE); err != nil {
			return err
		}
	}
	return nil
}

// hideEntries covers each entry with an empty one that has no permissions. For
// files that is a socket, which not even root can open.
func hideEntries(c *cage) error {
	if len(c.Hide) == 0 {
		return nil
	}
	const file, dir = "/dev/shm/no-file", "/dev/shm/no-folder"
	if err := errors.Join(unix.Mknod(file, unix.S_IFSOCK, 0), os.Mkdir(dir, 0)); err != nil {
		return err
	}
	for _, path := range parentsFirst(c.Hide) {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		cover := file
		if info.IsDir() {
			cover = dir
		}
		if err := bind(cover, path); err != nil {
			return err
		}
		if err := setReadOnly(path, true, 0); err != nil {
			return err
		}
	}
	return errors.Join(os.Remove(file), os.Remove(dir))
}

// parentsFirst, or a later mount would cover an earlier one.
func parentsFirst(paths []string) []string {
	return slices.SortedFunc(slices.Values(paths), func(a, b string) int { return len(a) - len(b) })
}

func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount at %s: %w", to, err)
	}
	return nil
}

func setReadOnly(path string, on bool, flags uint) error {
	attr := &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if on {
		attr = &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, path, flags, attr); err != nil {
		return fmt.Errorf("read-only %t at %s: %w", on, path, err)
	}
	return nil
}

type mountPoint struct {
	path     string
	readOnly bool
}

// mounts lists the mount points that this process sees.
func mounts() ([]mountPoint, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	var all []mountPoint
	for line := range strings.Lines(string(text)) {
		// Number, parent, device, root, mount point, options…
		fields := strings.Fields(line)
		if len(fields) < 6 {
			return nil, fmt.Errorf("a mount can't be read: %q", line)
		}
		all = append(all, mountPoint{unescape(fields[4]), slices.Contains(strings.Split(fields[5], ","), "ro")})
	}
	return all, nil
}

// unescape reads the kernel's octal escapes for blanks and backslashes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
