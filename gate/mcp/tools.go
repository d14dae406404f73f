package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// The names of the tools, as clients call them.
const (
	ToolApprove   = "approve"
	ToolAsk       = "ask_user_question"
	ToolEnterPlan = "enter_plan_mode"
	ToolExitPlan  = "exit_plan_mode"
	ToolTodo      = "todo"
)

// Tools are what a server offers; one that is nil isn't listed. An error is for
// the model, which reads its words.
type Tools struct {
	// Approve answers Claude Code's --permission-prompt-tool. With an error the
	// answer is a refusal.
	Approve func(context.Context, Call) (Answer, error)
	// Ask asks the person (APR-40). The arguments were checked.
	Ask func(context.Context, prompts.AskArgs) (prompts.AskResult, error)
	// EnterPlan begins to plan (APR-42); it gets the arguments as they came.
	EnterPlan func(context.Context, json.RawMessage) error
	// ExitPlan hands in a plan (APR-41).
	ExitPlan func(ctx context.Context, plan string) (prompts.PlanResult, error)
	// Todo shows the checklist (APR-43).
	Todo func(context.Context, prompts.TodoList) error
}

// A tool is one entry of the list.
type tool struct {
	name, title, description, schema string
	call                             func(context.Context, json.RawMessage) (any, error)
}

// list are the tools that are offered, in the order in which they are listed.
func (t Tools) list() (list []tool) {
	if t.Approve != nil {
		list = append(list, tool{ToolApprove, "Approve a tool call", approveText, approveSchema, t.approve})
	}
	if t.Ask != nil {
		list = append(list, tool{ToolAsk, "Ask the person", askText, askSchema, t.ask})
	}
	if t.EnterPlan != nil {
		list = append(list, tool{ToolEnterPlan, "Begin to plan", enterPlanText, enterPlanSchema, t.enterPlan})
	}
	if t.ExitPlan != nil {
		list = append(list, tool{ToolExitPlan, "Hand in a plan", exitPlanText, exitPlanSchema, t.exitPlan})
	}
	if t.Todo != nil {
		list = append(list, tool{ToolTodo, "Set the task list", todoText, todoSchema, t.todo})
	}
	return list
}

// approve never returns an error: the client knows no other form of a refusal
// than its own.
func (t Tools) approve(ctx context.Context, raw json.RawMessage) (any, error) {
	call, err := parseCall(raw)
	if err != nil {
		return Answer{Message: err.Error()}, nil //nolint:nilerr // a refusal says it
	}
	a, err := t.Approve(ctx, call)
	if err != nil {
		a = Answer{Message: "blitz-approve can't decide, so it was refused: " + err.Error()}
	}
	if a.Allow && a.Input == nil {
		a.Input = call.Input // the client takes what it gets for the whole
	}
	return a, nil
}

func (t Tools) ask(ctx context.Context, raw json.RawMessage) (any, error) {
	args, err := prompts.ParseAsk(raw)
	if err != nil {
		return nil, err
	}
	return t.Ask(ctx, args)
}

// planBegun is what an agent reads that may plan.
type planBegun struct {
	Planning bool   `json:"planning"`
	Message  string `json:"message"`
}

func (t Tools) enterPlan(ctx context.Context, raw json.RawMessage) (any, error) {
	if err := t.EnterPlan(ctx, raw); err != nil {
		return nil, err
	}
	return planBegun{true, "you are planning: look around, change nothing, and hand in the plan with " + ToolExitPlan}, nil
}

func (t Tools) exitPlan(ctx context.Context, raw json.RawMessage) (any, error) {
	var args struct {
		Plan string `json:"plan"`
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, fmt.Errorf("%s: %w", ToolExitPlan, err)
	}
	return t.ExitPlan(ctx, args.Plan)
}

func (t Tools) todo(ctx context.Context, raw json.RawMessage) (any, error) {
	list, err := prompts.ParseTodos(raw)
	if err != nil {
		return nil, err
	}
	return list, t.Todo(ctx, list)
}

// A Call is a tool call of Claude Code that needs leave.
type Call struct {
	Tool  string
	Input json.RawMessage // its arguments, as they came
	ID    string
}

var errCall = errors.New("this is not a call that can be approved")

func parseCall(raw json.RawMessage) (Call, error) {
	// A map, since package json takes "Tool_Name" for a field tool_name too.
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil || o == nil {
		return Call{}, fmt.Errorf("%w: its arguments are not an object", errCall)
	}
	c := Call{Input: o["input"]}
	for name, field := range map[string]*string{"tool_name": &c.Tool, "tool_use_id": &c.ID} {
		if raw, ok := o[name]; ok && json.Unmarshal(raw, field) != nil {
			return Call{}, fmt.Errorf("%w: %s is not a text", errCall, name)
		}
	}
	var input map[string]json.RawMessage
	switch {
	case c.Tool == "":
		return Call{}, fmt.Errorf("%w: it doesn't say which tool", errCall)
	case json.Unmarshal(c.Input, &input) != nil || input == nil:
		return Call{}, fmt.Errorf("%w: it doesn't say with what arguments", errCall)
	}
	return c, nil
}

// An Answer is what is said to a [Call]. The zero Answer refuses.
type Answer struct {
	Allow bool
	// Input are the arguments to run with; nil are those of the call.
	Input json.RawMessage
	// Message tells the model why it was refused.
	Message string
	// Stop ends the turn with a refusal.
	Stop bool
}

// MarshalJSON writes the form that Claude Code reads.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.Allow {
		return json.Marshal(struct {
			Behavior string          `json:"behavior"`
			Input    json.RawMessage `json:"updatedInput"`
		}{"allow", a.Input})
	}
	return json.Marshal(struct {
		Behavior string `json:"behavior"`
		Message  string `json:"message"`
		Stop     bool   `json:"interrupt,omitempty"`
	}{"deny", a.Message, a.Stop})
}
