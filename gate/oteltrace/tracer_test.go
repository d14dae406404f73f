package oteltrace_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/oteltrace"
)

// TestSpan covers exactly the wait for a person, with tool, kind and
// decision; a failing approver is an error, a refusal is not (APR-12).
func TestSpan(t *testing.T) {
	for name, c := range map[string]struct {
		answer   gate.Answer
		err      error
		decision string
		status   codes.Code
	}{
		"once":    {gate.Answer{Decision: gate.Once}, nil, gate.CauseUserOnce, codes.Unset},
		"refused": {gate.Answer{Message: "secret words"}, nil, gate.CauseUserRefused, codes.Unset},
		"cancel":  {gate.Answer{Decision: gate.CancelTurn}, nil, gate.CauseCancelled, codes.Unset},
		"failed":  {gate.Answer{Decision: gate.Once}, errors.New("no terminal"), gate.CauseError, codes.Error},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				exported, provider := memory(t)
				ctx, turn := provider.Tracer("agent").Start(t.Context(), "turn")
				start := time.Now()
				decide(t, ctx, provider, gate.Default, func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
					time.Sleep(time.Minute) // in the bubble's time
					_, inner := provider.Tracer("screen").Start(ctx, "inner")
					inner.End()
					return c.answer, c.err
				})
				time.Sleep(time.Hour) // the tool at work
				turn.End()

				spans := exported.GetSpans()
				if len(spans) != 3 {
					t.Fatalf("%d spans, want inner, approval and turn", len(spans))
				}
				inner, got := spans[0], spans[1]
				if got.Name != "approval" || got.SpanKind != trace.SpanKindInternal {
					t.Errorf("span %q of kind %v", got.Name, got.SpanKind)
				}
				if !got.StartTime.Equal(start) || got.EndTime.Sub(got.StartTime) != time.Minute {
					t.Errorf("it took %v from %v, want the minute of the wait", got.EndTime.Sub(got.StartTime), got.StartTime.Sub(start))
				}
				if got.Parent.SpanID() != turn.SpanContext().SpanID() || inner.Parent.SpanID() != got.SpanContext.SpanID() {
					t.Error("it does not lie between the turn and what the approver did")
				}
				if got.Status.Code != c.status {
					t.Errorf("status %v, want %v", got.Status, c.status)
				}
				wantAttributes(t, got, "tool=edit", "kind=write_file", "decision="+c.decision)
			})
		})
	}
}

// TestCancelled ends the span of a request whose turn ends (APR-12).
func TestCancelled(t *testing.T) {
	exported, provider := memory(t)
	ctx, cancel := context.WithCancel(t.Context())
	decide(t, ctx, provider, gate.Default, func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
		cancel()
		<-ctx.Done()
		return gate.Answer{}, ctx.Err()
	})
	spans := exported.GetSpans()
	if len(spans) != 1 {
		t.Fatalf("%d spans, want one", len(spans))
	}
	wantAttributes(t, spans[0], "tool=edit", "kind=write_file", "decision="+gate.CauseWithdrawn)
	if spans[0].Status.Code != codes.Unset {
		t.Errorf("status %v, want none: nothing failed", spans[0].Status)
	}
}

// TestUnasked has no span where nobody waits (APR-12).
func TestUnasked(t *testing.T) {
	exported, provider := memory(t)
	decide(t, t.Context(), provider, gate.AcceptEdits, nil)
	decide(t, t.Context(), provider, gate.Default, nil)
	if spans := exported.GetSpans(); len(spans) != 0 {
		t.Errorf("%d spans, want none", len(spans))
	}
}

// TestNoProvider decides as ever.
func TestNoProvider(t *testing.T) {
	decide(t, t.Context(), nil, gate.Default, func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{}, nil })
}

// TestAtOnce keeps the spans of many requests apart.
func TestAtOnce(t *testing.T) {
	exported, provider := memory(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			decide(t, t.Context(), provider, gate.Default, func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{Decision: gate.Once}, nil })
		})
	}
	all.Wait()
	spans := exported.GetSpans()
	if len(spans) != 20 {
		t.Errorf("%d spans, want 20", len(spans))
	}
	for _, s := range spans {
		wantAttributes(t, s, "tool=edit", "kind=write_file", "decision="+gate.CauseUserOnce)
	}
}

func memory(t *testing.T) (*tracetest.InMemoryExporter, *sdk.TracerProvider) {
	exported := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exported))
	t.Cleanup(func() { _ = provider.Shutdown(context.Background()) })
	return exported, provider
}

func decide(t *testing.T, ctx context.Context, p trace.TracerProvider, mode gate.Mode, approve gate.ApproverFunc) {
	t.Helper()
	opts := gate.Options{Workspace: t.TempDir(), Mode: mode, Tracer: oteltrace.New(p)}
	if approve != nil {
		opts.Approver = approve
	}
	g, err := gate.New(opts)
	if err != nil {
		t.Error(err)
		return
	}
	g.Decide(ctx, gate.Request{Tool: "edit", Kind: gate.WriteFile, Targets: []string{"secret.txt"}, Declared: gate.Declaration{Tier: gate.Write}})
}

// wantAttributes wants exactly these, so that nothing else is told.
func wantAttributes(t *testing.T, s tracetest.SpanStub, want ...string) {
	t.Helper()
	var got []string
	for _, a := range s.Attributes {
		if a.Value.Type() != attribute.STRING {
			t.Errorf("%s is a %v", a.Key, a.Value.Type())
		}
		got = append(got, fmt.Sprintf("%s=%s", a.Key, a.Value.AsString()))
	}
	if !slices.Equal(got, want) {
		t.Errorf("attributes %q, want %q", got, want)
	}
}
