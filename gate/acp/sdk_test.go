package acp_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// An sdkAgent is an agent by another implementation of the protocol. Each
// prompt asks for one command.
type sdkAgent struct {
	sdk.Agent // methods that the host doesn't call
	conn      *sdk.AgentSideConnection

	mu       sync.Mutex
	outcomes []string
	mode     string
	caps     sdk.ClientCapabilities
	cancels  int
}

func (a *sdkAgent) Initialize(_ context.Context, p sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	a.caps = p.ClientCapabilities
	return sdk.InitializeResponse{
		ProtocolVersion: sdk.ProtocolVersionNumber, AgentInfo: &sdk.Implementation{Name: "sdk", Version: "1"},
		AuthMethods: []sdk.AuthMethod{},
	}, nil
}

func (a *sdkAgent) NewSession(context.Context, sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	return sdk.NewSessionResponse{SessionId: "s1", Modes: &sdk.SessionModeState{
		CurrentModeId: "ask", AvailableModes: []sdk.SessionMode{{Id: "ask", Name: "Ask"}, {Id: "yolo", Name: "Yolo"}},
	}}, nil
}

func (a *sdkAgent) SetSessionMode(_ context.Context, p sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mode = string(p.ModeId)
	return sdk.SetSessionModeResponse{}, nil
}

func (a *sdkAgent) Cancel(context.Context, sdk.CancelNotification) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cancels++
	return nil
}

func (a *sdkAgent) Prompt(ctx context.Context, p sdk.PromptRequest) (sdk.PromptResponse, error) {
	command := p.Prompt[0].Text.Text
	err := errors.Join(
		a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: p.SessionId, Update: sdk.UpdateAgentMessageText("I run it.")}),
		a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: p.SessionId, Update: sdk.StartToolCall(
			"c1", "run", sdk.WithStartKind(sdk.ToolKindExecute), sdk.WithStartRawInput(map[string]any{"command": command}))}),
	)
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	// The request repeats nothing: the host has to remember the call.
	got, err := a.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
		SessionId: p.SessionId, ToolCall: sdk.ToolCallUpdate{ToolCallId: "c1"},
		Options: []sdk.PermissionOption{
			{Kind: sdk.PermissionOptionKindAllowAlways, Name: "Always", OptionId: "always"},
			{Kind: sdk.PermissionOptionKindAllowOnce, Name: "Once", OptionId: "once"},
			{Kind: sdk.PermissionOptionKindRejectOnce, Name: "No", OptionId: "no"},
		},
	})
	if err != nil { // the SDK ends the prompt's context when it is cancelled
		a.mu.Lock()
		a.outcomes = append(a.outcomes, "cancelled")
		a.mu.Unlock()
		return sdk.PromptResponse{}, err
	}
	outcome, stop := "cancelled", sdk.StopReasonCancelled
	if got.Outcome.Selected != nil {
		outcome, stop = string(got.Outcome.Selected.OptionId), sdk.StopReasonEndTurn
	}
	a.mu.Lock()
	a.outcomes = append(a.outcomes, outcome)
	a.mu.Unlock()
	return sdk.PromptResponse{StopReason: stop}, nil
}

// TestSDKAgent has an independent implementation as the agent: allow, refuse,
// cancel, and the next turn after it (TAM-24, APR-30).
func TestSDKAgent(t *testing.T) {
	toHost, agentOut := io.Pipe()
	agentIn, fromHost := io.Pipe()
	agent := &sdkAgent{}
	agent.conn = sdk.NewAgentSideConnection(agent, agentOut, agentIn)
	agent.conn.SetLogger(slog.New(slog.DiscardHandler))
	answers := map[string]gate.Verdict{
		"go test":  {Effect: gate.Allow, Cause: "rule-allow"},
		"rm -rf /": {Cause: "rule-deny"},
		"make":     {Cause: "cancelled"},
	}
	var said []string
	h := acp.NewHost(toHost, fromHost, acp.Options{
		Workspace: t.TempDir(),
		Decide:    func(_ context.Context, q gate.Request) gate.Verdict { return answers[q.Targets[0]] },
		Events: func(e acp.Event) {
			if c, ok := e.(acp.AgentChunk); ok {
				said = append(said, c.Text)
			}
		},
	})
	defer agentOut.Close()
	defer h.Close()
	ctx := t.Context()
	info, err := h.Initialize(ctx)
	if err != nil || info.Name != "sdk" {
		t.Fatal(info, err)
	}
	if agent.caps.Fs.ReadTextFile || agent.caps.Fs.WriteTextFile || agent.caps.Terminal {
		t.Errorf("files or terminals are offered: %+v", agent.caps)
	}
	if err := h.NewSession(ctx); err != nil {
		t.Fatal(err)
	}
	if err := h.SetMode(ctx, "yolo"); err != nil || agent.mode != "yolo" {
		t.Error("set_mode:", agent.mode, err)
	}
	if err := h.SetMode(ctx, "none"); !errors.Is(err, acp.ErrUnknownMode) {
		t.Error("unknown mode:", err)
	}
	for _, turn := range []struct {
		prompt string
		want   acp.StopReason
	}{{"go test", acp.EndTurn}, {"rm -rf /", acp.EndTurn}, {"make", acp.Cancelled}, {"go test", acp.EndTurn}} {
		if got, err := h.Prompt(ctx, turn.prompt); err != nil || got != turn.want {
			t.Errorf("%s: %q, %v", turn.prompt, got, err)
		}
	}
	if want := []string{"once", "no", "cancelled", "once"}; !slices.Equal(agent.outcomes, want) {
		t.Errorf("the agent was told %v, want %v", agent.outcomes, want)
	}
	if agent.cancels != 1 || len(said) != 4 {
		t.Errorf("%d cancels, said %q", agent.cancels, said)
	}
}
