// Package sandbox puts an agent and all that it starts under a sandbox of the
// operating system, which holds whatever the agent thinks of the gate's
// answers (APR-13, APR-14, BEY-15). Mode bypass relies on it.
//
// A program needs three calls. [Main] comes first in its main function,
// since the program starts itself again to apply the sandbox; [ForWorkspace]
// makes a policy; [Policy.Wrap] changes a command before it is started:
//
//	func main() {
//		sandbox.Main()
//		…
//		release, err := sandbox.ForWorkspace(dir, "gemini", gateHome).Wrap(cmd)
//		if err != nil {
//			return err // nothing runs that can't be held in full
//		}
//		defer release() // when the command and all that it started are gone
//
// # What holds, on Linux
//
// With user namespaces, which [Available] tries out, there are two layers. In
// a mount namespace of its own the agent finds everything read-only but the
// workspace and [Policy.Write], and in these the entries of [Policy.Protect]
// read-only again; what [Policy.ReadDeny] names is covered by an empty entry
// that nobody may open; it has pseudo-terminals and shared memory of its own.
// Landlock then holds writing a second time, and it keeps the agent from
// undoing the mounts, from tracing or signalling processes outside, and from
// reaching their files by way of /proc. Shared memory and queues of System V
// are its own. With [Policy.NoNetwork] it has a
// network namespace with nothing in it: no TCP, UDP, or abstract socket.
//
// A protected folder, and each folder above it that could else be moved away,
// is a mount point, and so can't be renamed or removed. A protected entry
// that isn't there gets an empty folder in its place for as long as the
// command runs, so that it can't be made; git doesn't see empty folders, but
// can't check out such an entry either, inside or outside, until it is over.
//
// Without user namespaces (they are switched off in many containers and by
// some distributions) Landlock works alone. Its rights go down a whole tree
// and know no exceptions, so that a folder with a protected entry in it is
// not granted: only what lies beside the entry, as it is at the start. The
// agent can then change and add files below the workspace's folders, but add
// nothing to the workspace's own folder, and commit nothing with git, whose
// folder holds its configuration. That is stricter, not weaker. What would be
// weaker is refused: no network, and hiding sockets.
//
// # What doesn't hold
//
//   - Files may be read, but those of ReadDeny.
//   - Sockets in the file system are reached like any file that may be read.
//     [ControlSockets] are those known to start processes elsewhere or to use
//     the person's keys, and those that the environment names; others, and
//     those that appear later, are not held, nor are they by NoNetwork.
//   - Keys in the kernel's keyrings, such as those of Kerberos, can be used.
//   - A protected file that somebody outside replaces while the agent runs, as
//     "git config" does, loses its protection: its mount goes with the old file.
//     The release function of [Policy.Wrap] tells of it. Folders, such as
//     .git/hooks, don't have that weakness.
//   - Git also believes repositories inside the workspace, a file
//     .git/commondir that sends it elsewhere, and .git/config.worktree where
//     that is switched on. The agent can make them; release tells of the files.
//   - A terminal that the command gets as its own input or output.
//   - Shared caches, such as that of npm, hold programs that are run later,
//     outside. [DefaultWrite] names them since builds need them.
//   - Use of processor, memory and disk.
//   - With Landlock alone: modes, owners, times and attributes of files.
//   - Programs that gain rights, such as sudo, don't. In a user namespace other
//     users' files seem to belong to nobody, which ssh finds wrong with its own
//     configuration in /etc.
//
// On macOS a profile for sandbox-exec is made. It was only ever tested as text,
// and [Report.Whole] denies it. Elsewhere there is [ErrUnavailable].
package sandbox
