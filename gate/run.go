package gate

import "context"

// run is how a request is made: with or without a person, while planning.
type run struct {
	permits  func(Request) bool // unattended when not nil
	headless bool
	planning bool
	consult  *consultation
}

type runKey struct{}

func runFrom(ctx context.Context) run {
	r, _ := ctx.Value(runKey{}).(run)
	return r
}

func withRun(ctx context.Context, change func(*run)) context.Context {
	r := runFrom(ctx)
	change(&r)
	return context.WithValue(ctx, runKey{}, r)
}

// Unattended marks a run that nobody watches: permits alone allows, nothing
// is remembered, and rules may only deny (APR-10). A nil permits permits
// nothing.
func Unattended(ctx context.Context, permits func(Request) bool) context.Context {
	if permits == nil {
		permits = func(Request) bool { return false }
	}
	return withRun(ctx, func(r *run) { r.permits = permits })
}

// Headless marks a sub-agent whose parent was approved as a whole: it runs as
// in yolo, and what must be asked is refused (TAM-25).
func Headless(ctx context.Context) context.Context {
	return withRun(ctx, func(r *run) { r.headless = true })
}

// Planning marks a turn that plans, whatever the mode (APR-14, APR-42).
func Planning(ctx context.Context) context.Context {
	return withRun(ctx, func(r *run) { r.planning = true })
}

// Permits makes rules the permissions of an [Unattended] run: what an allow
// rule of p would allow is permitted, in the given workspace.
func Permits(workspace, home string, p Policy) (func(Request) bool, error) {
	g, err := New(Options{Workspace: workspace, Home: home, Policy: p, Mode: DontAsk})
	if err != nil {
		return nil, err
	}
	return func(req Request) bool {
		v := g.Check(context.Background(), req)
		return v.Effect == Allow && v.Cause == CauseRuleAllow
	}, nil
}
