package gate

import (
	"cmp"
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// ownPrograms are the folders of PATH in which a session may find programs of its
// own making: those in the workspace, and those that are relative.
func (p place) ownPrograms(list string) (folders []string) {
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			folders = append(folders, cmp.Or(dir, "."))
		} else if _, inside := p.workspace.within(filepath.ToSlash(filepath.Clean(dir))); inside {
			folders = append(folders, dir)
		}
	}
	return folders
}

// shadowed says which file of the workspace's would run, or may, by the name of a
// program that the built-in defaults know to read only. It is empty where there is
// none, which is nearly always.
func (e *evaluation) shadowed(c *shell.Command) string {
	if e.place.dark {
		return "" // then all asks
	}
	for _, dir := range e.place.programs {
		name := dir + "/" + c.Program()
		if onDisk(e.commandFile(c, name).written()) {
			return name
		}
	}
	return ""
}
