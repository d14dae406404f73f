package settings

import (
	"maps"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Located is a value with the place where it was set. The zero Located is
// not set.
type Located[T any] struct {
	Value  T
	Source gate.Source
	Col    int // in characters, from 1; 0 when there is no file
}

// Set reports whether some file or flag gave the value.
func (l Located[T]) Set() bool { return l.Source.Layer != "" }

// Or is the value, or the fallback when it isn't set.
func (l Located[T]) Or(fallback T) T {
	if l.Set() {
		return l.Value
	}
	return fallback
}

// take replaces l by a value of a higher layer, if that has one.
func (l *Located[T]) take(higher Located[T]) {
	if higher.Set() {
		*l = higher
	}
}

// Values are what one file says, or all of them together.
type Values struct {
	// Rules are those of [permissions] (APR-15).
	Rules []Rule
	// ReadOnlyDefaults switches the built-in read-only rules; they are on
	// unless a file says false.
	ReadOnlyDefaults Located[bool]
	Auto             Auto

	// Mode is the starting mode as written in permission_mode or
	// approval_mode; see [StartingMode].
	Mode        Located[string]
	AutoApprove Located[bool]
	// PlanReview is "user-decides" or "agent-decides" (APR-42).
	PlanReview Located[string]

	AutoApproveCommands Located[bool]
	// ApprovalsFile is where remembered approvals are kept (APR-20).
	ApprovalsFile Located[string]
	// Tools are the user's policies by tool name (TAM-03).
	Tools map[string]Located[gate.ToolPolicy]

	// Shell is the shell that the bash tool runs.
	Shell            Located[string]
	CompoundCommands Located[bool] // TAM-17
	// Patterns are the shell tool's own list; the first match wins (TAM-16).
	Patterns []Pattern

	UI UI
	// Colors are those of [ui.colors] by role, one of [ColorRoles].
	Colors map[string]Located[string]
	// Keys are key bindings by the name of what they do.
	Keys map[string]Located[string]
	// Hooks are the permission_request hooks, in order.
	Hooks []Hook
}

// A Rule is one permission rule as written. It isn't parsed here.
type Rule struct {
	Effect gate.Effect
	Located[string]
	// Err is set for what stands where a deny or ask rule should and can't be
	// read. Value is empty then, and everything is held at ask until it is
	// mended: pass it on as a [gate.BrokenRule].
	Err error
}

// Auto is [permissions.auto], the reviewer of mode auto (APR-14a). Only the
// user's own files set it.
type Auto struct {
	Model, BaseURL, Environment Located[string]
	// Protocol is one of [Protocols]; not set, the address tells it.
	Protocol Located[string]
	// KeyVariable is the environment variable that holds the service's key.
	// The key itself never stands in a file (BEY-12).
	KeyVariable Located[string]
}

// Protocols are the values of permissions.auto.protocol.
var Protocols = []string{"openai", "anthropic"}

// A Pattern is one entry of bash.patterns (TAM-16).
type Pattern struct {
	Match    string
	Approval gate.ToolPolicy
	Source   gate.Source
	Col      int
	// Err is set for an entry that can't be read; it asks then, for every
	// command when its match is unknown.
	Err error
}

// UI is [ui].
type UI struct {
	// DiffLines is how many lines of a diff are shown at first (APR-30).
	DiffLines Located[int]
	// AnswerKeys is "letters" or "list".
	AnswerKeys Located[string]
	// Language is one of [Languages].
	Language Located[string]
	// Notify is "off" or "bell" or "osc".
	Notify Located[string]
	Plain  Located[bool]
	// Theme is one of [Themes].
	Theme Located[string]
	Mouse Located[bool]
}

// DefaultDiffLines is the value of ui.diff_lines that isn't set (APR-30).
const DefaultDiffLines = 120

// A Hook is a command that may answer a permission request.
type Hook struct {
	Command string
	Timeout time.Duration // 0 when not set
	Source  gate.Source
	Col     int
}

// take lays the values of a higher layer over v. Rules and hooks add up;
// patterns are put in order by [patternOrder].
func (v *Values) take(higher Values) {
	v.Rules = append(v.Rules, higher.Rules...)
	v.Hooks = append(v.Hooks, higher.Hooks...)
	v.ReadOnlyDefaults.take(higher.ReadOnlyDefaults)
	v.Auto.Model.take(higher.Auto.Model)
	v.Auto.BaseURL.take(higher.Auto.BaseURL)
	v.Auto.Environment.take(higher.Auto.Environment)
	v.Auto.Protocol.take(higher.Auto.Protocol)
	v.Auto.KeyVariable.take(higher.Auto.KeyVariable)
	v.Mode.take(higher.Mode)
	v.AutoApprove.take(higher.AutoApprove)
	v.PlanReview.take(higher.PlanReview)
	v.AutoApproveCommands.take(higher.AutoApproveCommands)
	v.ApprovalsFile.take(higher.ApprovalsFile)
	v.Shell.take(higher.Shell)
	v.CompoundCommands.take(higher.CompoundCommands)
	v.UI.take(higher.UI)
	v.Colors = joined(v.Colors, higher.Colors)
	v.Keys = joined(v.Keys, higher.Keys)
}

func (u *UI) take(higher UI) {
	u.DiffLines.take(higher.DiffLines)
	u.AnswerKeys.take(higher.AnswerKeys)
	u.Language.take(higher.Language)
	u.Notify.take(higher.Notify)
	u.Plain.take(higher.Plain)
	u.Theme.take(higher.Theme)
	u.Mouse.take(higher.Mouse)
}

func joined[V any](lower, higher map[string]V) map[string]V {
	if len(lower) == 0 {
		return maps.Clone(higher)
	}
	maps.Copy(lower, higher)
	return lower
}
