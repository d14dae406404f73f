package oteltrace

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/blitz-approve/blitz-approve/gate"
)

// scope names this instrumentation in what is exported.
const scope = "github.com/blitz-approve/blitz-approve/gate"

// New returns a tracer that starts its spans with p; without one it starts
// none.
func New(p trace.TracerProvider) gate.Tracer {
	if p == nil {
		p = noop.NewTracerProvider()
	}
	return tracer{p.Tracer(scope)}
}

type tracer struct{ to trace.Tracer }

// Start begins a span of kind internal: nothing leaves the process for it.
func (t tracer) Start(ctx context.Context, name string, attrs ...gate.Attr) (context.Context, gate.Span) {
	ctx, s := t.to.Start(ctx, name, trace.WithAttributes(attributes(attrs)...))
	return ctx, span{s}
}

type span struct{ of trace.Span }

// End ends the span, with the status error when the approver failed.
func (s span) End(attrs ...gate.Attr) {
	s.of.SetAttributes(attributes(attrs)...)
	for _, a := range attrs {
		if a.Name == "decision" && a.Value == gate.CauseError {
			s.of.SetStatus(codes.Error, "asking a person failed")
		}
	}
	s.of.End()
}

func attributes(attrs []gate.Attr) []attribute.KeyValue {
	list := make([]attribute.KeyValue, len(attrs))
	for i, a := range attrs {
		list[i] = attribute.String(a.Name, a.Value)
	}
	return list
}
