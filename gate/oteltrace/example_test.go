package oteltrace_test

import (
	"context"
	"fmt"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/oteltrace"
)

// The exporter keeps spans in memory; a program has one that sends them away.
func Example() {
	exported := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exported))
	yes := func(context.Context, gate.Prompt) (gate.Answer, error) {
		return gate.Answer{Decision: gate.Once}, nil
	}
	g, err := gate.New(gate.Options{Approver: gate.ApproverFunc(yes), Mode: gate.Default, Tracer: oteltrace.New(provider)})
	if err != nil {
		fmt.Println(err)
		return
	}
	g.Decide(context.Background(), gate.Request{Tool: "edit", Kind: gate.WriteFile, Targets: []string{"main.go"}})
	for _, span := range exported.GetSpans() {
		fmt.Println(span.Name)
		for _, a := range span.Attributes {
			fmt.Println(" ", a.Key, a.Value.AsString())
		}
	}
	// Output:
	// approval
	//   tool edit
	//   kind write_file
	//   decision user-once
}
