package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A StepName names a row of the evaluation order, as verdicts and the audit log
// do. The table of all is in this package's source, decide.go.
type StepName string

const (
	StepValid      StepName = "valid"
	StepHardPolicy StepName = "hard-policy"
	StepDeclare    StepName = "declare"
	StepDeny       StepName = "deny"
	StepForce      StepName = "force"
	StepUnattended StepName = "unattended"
	StepPlan       StepName = "plan"
	StepAllow      StepName = "allow"
	StepOpenMode   StepName = "open-mode"
	StepRemembered StepName = "remembered"
	StepMode       StepName = "mode"
	StepDontAsk    StepName = "dont-ask"
	StepHooks      StepName = "hooks"
	StepReview     StepName = "review"
	StepReach      StepName = "reach"
	StepAsk        StepName = "ask"
)

// A step is one row of the evaluation order. The first that settles a request
// ends it.
type step struct {
	name StepName
	does string // in one line, what it looks at
	who  string // decides in it; empty where the cause says that
	// beyond is set for what rules, settings and the mode leave to somebody.
	beyond bool
	run    func(*evaluation)
}

// A deny is final, whoever it comes from and in every mode; a forced ask goes
// to a person, or is refused when there is none. Else the first thing that
// allows wins, then the mode, then whoever may answer; nobody to answer is a
// refusal.
var steps = []step{
	{StepValid, "refuses what is malformed or came too late", "", false, (*evaluation).valid},
	{StepHardPolicy, "refuses files that read rules block", "", false, (*evaluation).hardPolicy},
	{StepDeclare, "takes the tool's own word, the shell patterns and the critical commands", "", false, (*evaluation).declare},
	{StepDeny, "refuses what the tool, a rule or the user's tool policy denies", "", false, (*evaluation).denied},
	{StepForce, "finds out whether a person must be asked whatever else allows it", "", false, (*evaluation).force},
	{StepUnattended, "lets an unattended run do what it was permitted and no more", "unattended", false, (*evaluation).unattended},
	{StepPlan, "refuses all but reads while planning", "mode", false, (*evaluation).plan},
	{StepAllow, "passes what the tool, the rules or the user's tool policy allow", "", false, (*evaluation).allowed},
	{StepOpenMode, "passes everything in bypass and yolo", "mode", false, (*evaluation).openMode},
	{StepRemembered, "passes what a person approved before", "person", true, (*evaluation).remembered},
	{StepMode, "passes what the mode lets pass by itself", "mode", false, (*evaluation).mode},
	{StepDontAsk, "refuses the rest in dont-ask", "mode", false, (*evaluation).dontAsk},
	{StepHooks, "lets permission hooks answer", "hook", true, (*evaluation).hooks},
	{StepReview, "lets the reviewing model answer in auto", "reviewer", true, (*evaluation).review},
	{StepReach, "refuses when nobody can be asked", "", true, (*evaluation).reach},
	{StepAsk, "asks a person", "person", true, (*evaluation).ask},
}

func stepOf(name StepName) step {
	if i := slices.IndexFunc(steps, func(s step) bool { return s.name == name }); i >= 0 {
		return steps[i]
	}
	return step{name: name}
}

func (e *evaluation) valid() {
	req := &e.verdict.Request
	switch {
	case e.ctx.Err() != nil:
		e.deny(ending(e.ctx))
	case !req.Kind.Valid():
		e.deny(CauseInvalid, fmt.Sprintf("unknown kind of request %q", req.Kind))
	case req.Tool == "" && req.Kind == NoKind:
		e.deny(CauseInvalid, "the request names no tool")
	case req.Kind == RunCommand && hasNUL(req.Targets):
		e.deny(CauseInvalid, "the command holds a NUL byte, which no shell can run as it is shown")
	case req.Kind != RunCommand && hasNUL(req.Targets):
		e.deny(CauseInvalid, "a target holds a NUL byte")
	case slices.ContainsFunc(req.Targets, func(t string) bool { return len(t) > maxTarget }):
		e.deny(CauseInvalid, fmt.Sprintf("a command, path or address is longer than %d KiB: nobody could read it, and no system takes it", maxTarget>>10))
	}
}

// maxTarget is how long one target may be, in bytes. Linux takes a command of
// 128 KiB at the most.
const maxTarget = 1 << 20

func hasNUL(targets []string) bool {
	for _, t := range targets {
		if strings.ContainsRune(t, 0) {
			return true
		}
	}
	return false
}

// hardPolicy refuses files under read denies, also as operands of a command
// (APR-13, APR-15).
func (e *evaluation) hardPolicy() {
	if what, rule := e.readBlocked(); rule != nil {
		e.denyBy(rule, CauseHardPolicy, what+" may not be read")
	}
}

// declare completes the tool's declaration with what is known about shells
// and MCP tools (TAM-01, TAM-15, TAM-16).
func (e *evaluation) declare() {
	req := &e.verdict.Request
	switch req.Kind {
	case MCPTool:
		req.Declared.Tier = Write
	case RunCommand:
		e.declareCommands()
	}
}

func (e *evaluation) denied() {
	d := &e.verdict.Request.Declared
	if d.Policy == PolicyDeny {
		e.deny(CauseToolDeny, cmp.Or(d.Reason, "the tool itself refuses this call"))
		return
	}
	if r := e.restricting(Deny); r != nil {
		e.denyBy(r, CauseRuleDeny, "a rule denies it")
		return
	}
	if name, rule, ok := e.toolPolicy(); ok && rule.Policy == PolicyDeny {
		e.deny(CauseUserDeny, fmt.Sprintf("tools.approval.%s is deny (%s)", name, rule.Source))
	}
}

// force sets MustAsk, and why (APR-15, TAM-11, TAM-13, TAM-18).
func (e *evaluation) force() {
	d := &e.verdict.Request.Declared
	if e.place.dark {
		e.mustAsk(errDark.Error())
	}
	if n := len(e.verdict.Request.SafetyChecks); n > 0 {
		e.mustAsk(fmt.Sprintf("the model's provider wants %d of its safety checks looked at", n))
		return
	}
	if r := e.restricting(Ask); r != nil {
		e.verdict.Rule = r
		if r.Effect == Deny {
			e.mustAsk("its code holds a command that a rule denies")
		} else {
			e.mustAsk("a rule asks each time")
		}
		return
	}
	if e.forcedCommand() {
		return
	}
	if w := e.searchMayReach(); w != nil {
		e.verdict.Rule = w.rule
		e.mustAsk(w.why())
		return
	}
	if folder, ok := e.unseenFolder(); ok {
		e.mustAsk("there is too much in " + folder + " to look through, or not all of it can be seen")
		return
	}
	if e.unreadableHost() {
		e.mustAsk("the host can't be read for sure")
		return
	}
	if b, ok := e.index.holds(e.verdict.Request.Kind, e.removes()); ok && b.Text == "" && (b.Source.Line == 0 || strings.Contains(b.Err.Error(), b.Source.File)) {
		e.mustAsk(b.Err.Error()) // of a whole file
		return
	} else if ok {
		e.mustAsk(fmt.Sprintf("the %s rule %s at %s can't be read, so everything that it may cover asks: %v", b.Effect, b.Text, b.Source, b.Err))
		return
	}
	if d.Override && e.inMode != Yolo && d.Policy != PolicyAllow {
		e.mustAsk(cmp.Or(e.critical, d.Reason, "the tool asks each time for this"))
		return
	}
	if d.Policy == PolicyPrompt {
		e.mustAsk(cmp.Or(d.Reason, "the tool asks to be prompted for"))
		return
	}
	if name, rule, ok := e.toolPolicy(); ok && rule.Policy == PolicyPrompt && d.Policy != PolicyAllow {
		e.mustAsk(fmt.Sprintf("tools.approval.%s is prompt (%s)", name, rule.Source))
	}
}

// unreadableHost reports a host that programs may read in several ways, while
// there is a rule that one of them may be under.
func (e *evaluation) unreadableHost() bool {
	if e.verdict.Request.Kind != Network || e.index.web[Deny].empty() && e.index.web[Ask].empty() {
		return false
	}
	return slices.ContainsFunc(e.verdict.Request.Targets, func(t string) bool { _, sure := readHost(t); return !sure })
}

func (e *evaluation) unattended() {
	if e.run.permits == nil {
		return
	}
	name := e.verdict.Request.Tool
	switch {
	case e.verdict.Forced:
		e.deny(CauseUnattendedRefused, fmt.Sprintf("%s must be asked about (%s), and this run is unattended", name, e.verdict.Reason))
	case e.permitted():
		e.allow(CauseUnattendedPermitted, "this unattended run is permitted to do it")
	default:
		reason := cmp.Or(name, "this") + " is not permitted to this unattended run"
		if rule := e.suggestion(); rule != "" {
			reason += "; permit it with the rule " + rule
		}
		e.deny(CauseUnattendedRefused, reason)
	}
}

// permitted takes a decider that fails as a refusal.
func (e *evaluation) permitted() (yes bool) {
	defer func() {
		if fault := recover(); fault != nil {
			yes = false
			e.note(fmt.Sprintf("the run's own decider failed: %v", fault))
		}
	}()
	e.patience.paused(func() { yes = e.run.permits(e.verdict.Request) })
	return yes
}

func (e *evaluation) plan() {
	if e.inMode != Plan || e.isRead() || e.readOnlyCommands() {
		return
	}
	e.deny(CauseModePlan, "only reading is possible while planning; present the plan first")
}

func (e *evaluation) allowed() {
	if e.verdict.Forced {
		return
	}
	if d := e.verdict.Request.Declared; d.Policy == PolicyAllow {
		e.allow(CauseToolAllow, cmp.Or(d.Reason, "the tool's own policy allows this call"))
		return
	}
	if e.allowRules() {
		return
	}
	if name, rule, ok := e.toolPolicy(); ok && rule.Policy == PolicyAllow {
		e.allow(CauseUserAllow, fmt.Sprintf("tools.approval.%s is allow (%s)", name, rule.Source))
	}
}

func (e *evaluation) openMode() {
	if !e.verdict.Forced && e.inMode.Dangerous() {
		e.allow(modeCauses[e.inMode], "no rule stops it, and the mode lets all else pass")
	}
}

// remembered goes through what people approved before (APR-11, TAM-05, 20).
func (e *evaluation) remembered() {
	if e.verdict.Forced {
		return
	}
	req, timed, standing := &e.verdict.Request, e.timed(), e.standing()
	switch {
	case req.Kind == RunCommand && e.policy.AutoApproveCommands:
		e.allow(CauseAutoPolicy, "tools.auto_approve_commands is on")
	case e.keyCovers() && e.keyIn(func(key string) bool { return e.session.keys[key] }):
		e.allow(CauseSessionRule, "approved for this session: "+cmp.Or(req.KeyLabel, req.Key))
	case e.toolRemembered():
		e.allow(CauseSessionRule, fmt.Sprintf("%s at tier %s is approved for this session", req.Tool, req.Declared.Tier))
	case timed != nil:
		e.passTimed(timed)
	case standing != nil:
		e.passStanding(standing)
	case e.saved != nil && e.keyCovers() && e.keyIn(e.saved):
		e.allow(CauseSavedRule, "saved: "+cmp.Or(req.KeyLabel, req.Key))
	case e.inMode == AlwaysAskCached && e.granted():
		e.allow(CauseGrant, "every file that it touches was approved before")
	}
}

func (e *evaluation) mode() {
	switch {
	case e.verdict.Forced || !e.modePasses():
	case e.left():
		e.allow(CauseLeft, "nothing here stops it, so that the agent goes by its own rules")
	default:
		e.allow(modeCauses[e.inMode], "the mode lets it pass by itself")
	}
}

func (e *evaluation) dontAsk() {
	if e.inMode == DontAsk {
		e.deny(CauseModeDontAsk, "mode dont-ask refuses what would have to be asked"+because(e.verdict.Reason))
	}
}

// hooks lets permission hooks answer; one that fails has said nothing.
func (e *evaluation) hooks() {
	if e.verdict.Forced || e.run.consult == nil {
		return
	}
	allowed := ""
	var replies []hookReply
	e.patience.paused(func() { replies = e.run.consult.hooks(e.ctx, e.verdict.Request) })
	for _, h := range replies {
		switch {
		case h.err != nil:
			e.note("permission hook " + h.name + " failed and so says nothing: " + h.err.Error())
		case h.answer.Effect == HookDeny:
			// A deny is final, whatever another hook says.
			e.deny(CauseHookDeny, cmp.Or(h.answer.Reason, "the permission hook "+h.name+" refuses it"))
			return
		case h.answer.Effect != HookAllow:
			e.note("permission hook " + h.name + " says nothing")
		case allowed == "":
			allowed = cmp.Or(h.answer.Reason, "the permission hook "+h.name+" allows it")
		}
	}
	if allowed != "" {
		e.allow(CauseHookAllow, allowed)
	}
}

// review lets the reviewing model answer in auto (APR-14a). A failure goes on
// to a person.
func (e *evaluation) review() {
	if e.inMode != Auto || e.verdict.Forced {
		return
	}
	if e.run.consult == nil || !e.run.consult.reviews() {
		e.note("no reviewer is set up, so a person is asked")
		return
	}
	var review Review
	var err error
	e.patience.paused(func() { review, err = e.run.consult.review(e.ctx, e.verdict.Request) })
	switch {
	case err != nil:
		e.note(CauseAutoError + ": " + err.Error())
	case review.Allow:
		e.allow(CauseAutoAllow+": "+review.Reason, review.Reason)
	default:
		e.deny(CauseAutoDeny, review.Reason)
	}
}

func (e *evaluation) reach() {
	if e.reachable {
		return
	}
	if len(e.verdict.Request.SafetyChecks) > 0 {
		e.deny(CauseNoApprover, "pending provider safety checks but no interactive UI is available")
		return
	}
	e.deny(CauseNoApprover, ErrNoApprover.Error()+because(e.verdict.Reason)+"; "+e.wayOut())
}

func (e *evaluation) ask() {
	v := &e.verdict
	v.Effect, v.Cause, v.Step = Ask, CauseAsked, StepAsk
	if v.Reason == "" {
		v.Reason = e.whyAsked()
	}
	v.Offers, v.grants, v.wayOut = e.offers(), e.grantOffers(), e.wayOut()
	e.settled = true
}

// whyAsked says why nothing settled the request: what keeps rules from allowing
// a command, or that there is none (BEY-04).
func (e *evaluation) whyAsked() string {
	for i := range e.commands {
		switch c := &e.commands[i]; {
		case c.allow != nil || c.doubt == "":
		case c.unnamed:
			return c.doubt // which says what a rule has to name
		default:
			return "no rule can allow it: " + c.doubt
		}
	}
	if e.anyProtected() {
		f := e.files[slices.IndexFunc(e.files, func(f file) bool { return f.guarded })]
		return "it changes what is protected, " + f.target + ", so that only a rule for exactly this allows it"
	}
	return "no rule matches, and mode " + e.inMode.String() + " asks"
}
