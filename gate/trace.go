package gate

import "context"

// startSpan keeps the time spent waiting for a person apart from that of the
// tool (APR-12).
func (g *Gate) startSpan(ctx context.Context, req Request) (context.Context, Span) {
	if g.opts.Tracer == nil {
		return ctx, noSpan{}
	}
	return g.opts.Tracer.Start(ctx, "approval", Attr{"tool", req.Tool}, Attr{"kind", string(req.Kind)})
}

// A Tracer starts spans; an embedder bridges it to what they trace with.
type Tracer interface {
	Start(ctx context.Context, name string, attrs ...Attr) (context.Context, Span)
}

// A Span is one piece of traced work.
type Span interface{ End(attrs ...Attr) }

// An Attr is one attribute of a span.
type Attr struct{ Name, Value string }

type noSpan struct{}

func (noSpan) End(...Attr) {}
