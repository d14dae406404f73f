package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is the longest message that is read, in bytes: a call to approve
// holds whole files.
const maxLine = 64 << 20

// instructions are for the model, where its agent passes them on.
const instructions = "These tools reach the person who watches this session."

// Serve offers tools to the client at the other end of r and w, which it closes
// in the end, until that goes away or ctx ends. What is no message is answered
// with an error, and the next line is read. Version is our own.
func Serve(ctx context.Context, r io.ReadCloser, w io.WriteCloser, version string, tools Tools) error {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "blitz-approve", Title: "Blitz Approve", Version: version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}},
	)
	for _, t := range tools.list() {
		server.AddTool(t.declared(), t.handler(ctx))
	}
	out := &sharedOutput{WriteCloser: w}
	return server.Run(ctx, &sdk.IOTransport{Reader: newSieve(r, maxLine, out), Writer: out, MaxLineLength: maxLine + 1})
}

func (t tool) declared() *sdk.Tool {
	closed := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: json.RawMessage(t.schema),
		// They only reach the person. Some agents let such tools pass while they
		// plan, and only such.
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed},
	}
}

// handler serves the calls of one tool. Ending the server waits for them, so
// that they end with it.
func (t tool) handler(served context.Context) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, done := context.WithCancelCause(ctx)
		defer done(nil)
		defer context.AfterFunc(served, func() { done(context.Cause(served)) })()
		if info := r.ClientInfo(); info != nil {
			ctx = context.WithValue(ctx, clientKey{}, cmp.Or(info.Title, info.Name))
		}
		result, err := t.call(ctx, r.Params.Arguments)
		if err == nil {
			var text []byte
			if text, err = json.Marshal(result); err == nil {
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}, nil
			}
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}, IsError: true}, nil
	}
}

type clientKey struct{}

// Client is the name that the client of a call gives itself; empty when it
// gives none.
func Client(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}
