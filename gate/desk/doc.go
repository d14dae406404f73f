// Package desk carries what is asked from gates in many processes to one
// screen, the desk, and the answers back (BEY-01).
//
// Each process keeps a gate of its own: rules, modes, approvals and the log.
// Only the person is elsewhere. A [Client] is the [gate.Approver] and the
// [prompts.GroupPrompter] of such a process:
//
//	client, err := desk.Dial(ctx, folder, desk.Agent{Name: "my agent", Workspace: dir})
//	…
//	g, err := gate.New(gate.Options{Workspace: dir, Approver: client})
//
// A [Desk] is the other end. It gives each agent that comes a [Seat], which is
// where its requests are put before the person:
//
//	d, err := desk.Open(folder)
//	…
//	err = d.Serve(ctx, room)
//
// [NewClient] is for who comes only once something is to be asked. [Listen] and
// [Connect] open a [Socket] of one's own beside the desk's, under the same
// rules.
//
// A hook of an agent has a gate for one request only. What a person approves for
// the session of such an agent stands at the desk, and [Client.Standing] hands it
// to the gates that come after it.
//
// # What can go wrong
//
// Nothing that goes wrong is a yes. When the connection is lost, what waits is
// withdrawn from the desk and refused by the gate that asked. An answer comes
// with the digest of what was on the screen, and counts only for exactly that
// (BEY-02); what it may be is bounded by what the gate offered.
//
// # Who may connect
//
// Both ends are processes of one user. The socket is in a folder that only that
// user can enter, and each end asks the system who the other is. A peer that
// sends what can't be understood is dropped.
//
// # Concurrency
//
// Clients and desks may be used from any number of goroutines. Messages of one
// client arrive in their order; nothing is promised between clients.
package desk
