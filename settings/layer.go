package settings

// A Layer says whose settings a file holds. The zero layer, a project's file,
// is the least trusted.
type Layer uint8

const (
	// Project is .blitz/settings.toml in the workspace, which comes with a
	// clone.
	Project Layer = iota
	// Local is .blitz/settings.local.toml in the workspace.
	Local
	// Global is the user's settings.toml.
	Global
	// Workspace is the user's own file for one workspace, kept in their home.
	Workspace
	// Overlay is a file given with --config.
	Overlay
	// Flag stands for the command line, which is no file.
	Flag
)

// String is the layer's name in a [gate.Source].
func (l Layer) String() string {
	switch l {
	case Local:
		return "local"
	case Global:
		return "global"
	case Workspace:
		return "workspace"
	case Overlay:
		return "overlay"
	case Flag:
		return "flag"
	}
	return "project"
}

// users reports whether the layer is the user's word, which needs no trust.
func (l Layer) users() bool {
	switch l {
	case Global, Workspace, Overlay, Flag:
		return true
	}
	return false
}
