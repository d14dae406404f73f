package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNotRegular is wrapped by the errors for what stands in the place of one of
// the gate's files and is none: opening a pipe would wait for ever.
var ErrNotRegular = errors.New("not a regular file")

// regular reports what stands at path and is no regular file; nothing there is
// fine.
func regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w; move it away", path, ErrNotRegular)
	}
	return nil
}

// replaceFile writes a file so that a reader, or a crash, sees the old
// content or the new, never a mix. A link is followed, so that the file it
// points to is replaced and the link stays. With lasting it waits for the disk,
// which may take long; without, a machine that goes down may leave the old
// content, or an empty file.
func replaceFile(path string, data []byte, lasting bool) (err error) {
	if real, e := filepath.EvalSymlinks(path); e == nil {
		path = real
	}
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if _, err = tmp.Write(data); err == nil && lasting {
		err = tmp.Sync()
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), path); err != nil || !lasting {
		return err
	}
	// The rename itself lasts only once the folder is on disk; some file
	// systems can't do that, which loses nothing but the guarantee.
	if d, e := os.Open(dir); e == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}
