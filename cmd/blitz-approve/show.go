package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// errNotDrawn ends show with exit code 1.
var errNotDrawn = errors.New("not every case could be drawn")

func showCommand(f *flags) *cobra.Command {
	var jsonl bool
	var color, theme, view string
	var still tui.StillOptions
	cmd := &cobra.Command{
		Use:   "show --jsonl [FILE…]",
		Short: "Print the screen that a request would get, without a terminal",
		Long: `Print the screen that each case's request would get, one line of JSON a case:
for documentation, pictures, and tests of what people see. The cases are those
of check --jsonl. Nothing is asked, written or remembered. A request that rules
or a mode would settle is drawn as it would be without them, and says so.

  blitz-approve show --jsonl --width 100 --height 30 cases.jsonl

Instead of a request, a case may hold what an agent asks or plans, in the form
of its tools: "question" with question, options, multi_select, or questions for
several; "plan" with plan and, of the revision before it, before; "todos" with
items of content and status.

  {"id":"q","question":{"question":"Which?","options":["Red","Green"]}}
  {"id":"p","plan":{"plan":"# Fix it\n\n1. find it","before":"# Fix"}}
  {"id":"t","todos":{"items":[{"content":"find it","status":"in_progress"}]}}

A line holds id, frame, page, pages and hidden_lines, the rows after this page.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			profile, known := colorProfiles[color]
			var views bool
			still.View, views = stillViews[view]
			switch {
			case !jsonl:
				return errors.New("give --jsonl: show reads cases, one a line")
			case !known:
				return fmt.Errorf("unknown --color %q: use none, 16, 256 or truecolor", color)
			case !views:
				return fmt.Errorf("unknown --view %q: use request, saves or why", view)
			case still.Width < 1 || still.Height < 1 || still.Width > maxSide || still.Height > maxSide:
				return fmt.Errorf("%d×%d is no size for a screen: each side is 1 to %d", still.Width, still.Height, maxSide)
			case still.Page < 0:
				return errors.New("pages count from 1")
			}
			m, err := f.load()
			if err != nil {
				return err
			}
			look := m.theme()
			if theme != "" {
				colors := look.Colors
				if look, err = themeNamed(theme); err != nil {
					return err
				}
				look.Colors = colors
			}
			look.Basic, look.Indexed = profile == colorprofile.ANSI, profile == colorprofile.ANSI256
			s := &shower{
				Checker: cases.Checker{Workspace: m.workspace, GateHome: m.home, Policy: m.policy, Mode: m.mode}, still: still, profile: profile,
				options: tui.Options{
					Workspace: shortPath(m.workspace), DiffLines: m.settings.UI.DiffLines.Or(tui.DefaultDiffLines),
					AnswerKeys: answerKeys(m.settings.UI.AnswerKeys.Or("letters")), Keys: m.keys(), Theme: look,
					Language: m.flag, // pictures don't depend on the locale
				},
			}
			return cases.AnswerLines(cmd.Context(), args, cmd.OutOrStdout(), errNotDrawn, func(_ string, line []byte) (any, bool) {
				a := s.line(cmd.Context(), line)
				return a, a.Error == ""
			})
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&jsonl, "jsonl", false, "read one case a line from the files, or from standard input")
	fs.IntVar(&still.Width, "width", 80, "columns")
	fs.IntVar(&still.Height, "height", 24, "rows")
	fs.StringVar(&color, "color", "none", "none, 16, 256 or truecolor; with none a frame holds no escape sequence")
	fs.StringVar(&theme, "theme", "", "one of "+strings.Join(settings.Themes, ", ")+" (default: that of the settings; auto is dark)")
	fs.BoolVar(&still.Expanded, "expanded", false, "everything, full screen, as ctrl+o shows it")
	fs.StringVar(&view, "view", "request", "request, saves (what always would save) or why")
	fs.IntVar(&still.Page, "page", 1, "which part of it, from 1")
	return cmd
}

// maxSide is the largest side of a screen that is drawn: more than any
// terminal has, and little enough to be drawn at once.
const maxSide = 2000

var colorProfiles = map[string]colorprofile.Profile{
	"none": colorprofile.NoTTY, "16": colorprofile.ANSI, "256": colorprofile.ANSI256, "truecolor": colorprofile.TrueColor,
}

var stillViews = map[string]tui.StillView{"request": tui.StillRequest, "saves": tui.StillSaves, "why": tui.StillWhy}

// A frameAnswer is one line that show writes.
type frameAnswer struct {
	ID     string `json:"id"`
	Frame  string `json:"frame"`
	Page   int    `json:"page"`
	Pages  int    `json:"pages"`
	Hidden int    `json:"hidden_lines"`
	Error  string `json:"error,omitempty"`
}

// A shower draws cases.
type shower struct {
	cases.Checker
	options tui.Options
	still   tui.StillOptions
	profile colorprofile.Profile
}

// line draws the case of one line.
func (s *shower) line(ctx context.Context, line []byte) frameAnswer {
	c, err := cases.Read[showCase](line)
	if err != nil {
		return frameAnswer{ID: c.ID, Error: "the case can't be read: " + err.Error()}
	}
	o := s.options
	if c.Workspace != "" {
		o.Workspace = c.Workspace
	}
	still, asked, err := c.drawAsked(ctx, o, s.still)
	if err == nil && !asked {
		var prompt gate.Prompt
		if prompt, o.Mode, err = s.prompt(ctx, &c.Case); err == nil {
			still = tui.Draw(o, prompt, s.still)
		}
	}
	if err != nil {
		return frameAnswer{ID: c.ID, Error: err.Error()}
	}
	frame, err := s.colored(still.Frame)
	if err != nil {
		return frameAnswer{ID: c.ID, Error: err.Error()}
	}
	return frameAnswer{ID: c.ID, Frame: frame, Page: still.Page, Pages: still.Pages, Hidden: still.Hidden}
}

// colored is a frame with no more colours than asked for.
func (s *shower) colored(frame string) (string, error) {
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: s.profile}
	_, err := w.WriteString(frame)
	return b.String(), err
}

// prompt is what a person would be asked about the case's request.
func (s *shower) prompt(ctx context.Context, c *cases.Case) (gate.Prompt, gate.Mode, error) {
	// Nobody waits, so that there is nothing to cancel.
	ctx = context.WithoutCancel(ctx)
	var asked asking
	ctx, o, err := s.Open(ctx, c, &asked)
	if err != nil {
		return gate.Prompt{}, 0, err
	}
	v := o.Gate.Decide(ctx, o.Request)
	if asked.prompt == nil {
		p, err := unsettled(ctx, v, o.Request, o.Workspace, c.Home)
		return p, o.Gate.Mode(), err
	}
	return *asked.prompt, o.Gate.Mode(), nil
}

// asking is an approver that keeps what it is asked and says no. It is asked
// once, before Decide returns.
type asking struct{ prompt *gate.Prompt }

func (a *asking) Approve(_ context.Context, p gate.Prompt) (gate.Answer, error) {
	a.prompt = &p
	return gate.Answer{}, nil
}

// unsettled is the prompt of a request that v has settled, as it would be
// without rules and in a mode that asks. Why it is settled is said in it.
func unsettled(ctx context.Context, v gate.Verdict, req gate.Request, workspace, home string) (gate.Prompt, error) {
	var asked asking
	g, err := gate.New(gate.Options{
		Workspace: workspace, Home: home, Mode: gate.Default, Approver: &asked,
		Policy: gate.Policy{NoReadOnlyDefaults: true, NoReadOnlyGuards: true},
	})
	if err != nil {
		return gate.Prompt{}, err
	}
	g.Decide(ctx, req)
	p := gate.Prompt{Request: v.Request, Verdict: gate.Verdict{Offers: []gate.Decision{gate.Once}}}
	if asked.prompt != nil {
		p = *asked.prompt
	}
	outcome := "not asked, but allowed: "
	if !v.Allowed() {
		outcome = "not asked, but refused: "
	}
	p.Verdict.Effect, p.Verdict.Reason = gate.Ask, outcome+v.Reason
	p.Verdict.Step, p.Verdict.Cause, p.Verdict.Rule, p.Verdict.Parts, p.Verdict.Trail = v.Step, v.Cause, v.Rule, v.Parts, v.Trail
	return p, nil
}
