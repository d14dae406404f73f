package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/blitz-approve/blitz-approve/gate/mcp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// A program that serves an agent its task list. Agents start such a program and
// speak with it over its standard input and output; here it is a pipe.
func ExampleServe() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ours, theirs := net.Pipe()
	go mcp.Serve(ctx, ours, ours, "1.0", mcp.Tools{
		Todo: func(_ context.Context, list prompts.TodoList) error {
			fmt.Printf("%d of %d done\n", list.Done, list.Total)
			return nil
		},
	})

	agent := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1.0"}, nil)
	session, err := agent.Connect(ctx, &sdk.IOTransport{Reader: theirs, Writer: theirs}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{
		Name:      mcp.ToolTodo,
		Arguments: json.RawMessage(`{"items":[{"content":"Read the code","status":"completed"},{"content":"Mend it","status":"todo"}]}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Content[0].(*sdk.TextContent).Text)
	// Output:
	// 1 of 2 done
	// {"items":[{"content":"Read the code","status":"done"},{"content":"Mend it","status":"pending"}],"done":1,"total":2}
}
