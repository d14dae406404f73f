package sandbox

// A Report says what a sandbox holds on this machine. The zero Report says
// that there is none.
type Report struct {
	Name       string   // "landlock" or "sandbox-exec"; empty when there is none
	ABI        int      // Landlock's version
	Namespaces bool     // user, mount and network namespaces can be used
	Holds      []string // what is enforced, for a person
	Lacks      []string // what is not
	Err        error    // why there is none
}

// Active reports whether [Policy.Wrap] can work at all.
func (r Report) Active() bool { return r.Name != "" && r.Err == nil }

// Whole reports whether mode bypass may rely on it (APR-14): protected
// entries, sockets that start processes elsewhere, signals and the terminal
// are held, and it was tested.
func (r Report) Whole() bool { return r.Active() && r.Namespaces && r.ABI >= abiScopes }

// Landlock versions that the report and the rules depend on.
const (
	abiLeast  = 3 // truncating is held; before, every file could be emptied
	abiTCP    = 4
	abiIoctl  = 5 // ioctl on devices
	abiScopes = 6 // signals and abstract sockets
)
