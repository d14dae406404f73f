// Package oteltrace reports the time that requests wait for a person to
// OpenTelemetry, apart from the time that tools take (APR-12).
//
// It needs one call:
//
//	g, err := gate.New(gate.Options{Tracer: oteltrace.New(otel.GetTracerProvider())})
//
// Each request that is put before a person becomes one span named approval,
// which begins when the person is asked and ends with the decision. Requests
// that nobody is asked about have none. The span is a child of the one in the
// context that the request was decided in, and the approver gets its context.
//
// # Attributes
//
// The attributes are those of the gate: tool, kind and decision, whose values
// are the causes of verdicts such as [gate.CauseUserOnce]. Targets, keys and
// what a person wrote are never among them. A span whose approver failed has
// the status error; a refusal is no error.
//
// # Concurrency
//
// A tracer may be used from any number of goroutines.
package oteltrace
