// Package gate decides whether an action that a coding agent wants to take
// may happen. It holds the rules, the modes, the remembered approvals and the
// audit log; it draws nothing and reads no settings file.
//
// Most programs need two calls: [New], once per workspace, and
// [Gate.Decide], once per action:
//
//	g, err := gate.New(gate.Options{Workspace: dir, Approver: screen})
//	…
//	v := g.Decide(ctx, gate.CommandRequest(dir, "bash", "go test ./..."))
//	if !v.Allowed() {
//		return errors.New(v.Refusal())
//	}
//
// # Order
//
// A deny is final, whoever it comes from and in every mode; a forced ask goes
// to a person, or is refused when there is none. Else the first thing that
// allows wins, then the mode, then whoever may answer; nobody to answer is a
// refusal. The whole order is one table; a [StepName] says where in it a verdict
// was found.
//
// # Failing closed
//
// The zero [Verdict] denies, the zero [Tier] is the strictest, the zero [Mode]
// asks for all but plain reads. A cancelled context, a malformed request, an
// approver that fails and an audit log that can't be written all deny.
//
// # Concurrency
//
// A [Gate] may be used from any number of goroutines. A change of mode, rules
// or grants re-evaluates every request that waits for a person, at once.
package gate
