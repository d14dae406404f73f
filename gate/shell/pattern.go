package shell

import "strings"

// A Pattern is one entry of the shell tool's own ordered list (TAM-16). Match
// is compared with the whole command, with blanks folded; * stands for any
// text and nothing else is special. Approval is allow, deny or prompt; any
// other word makes the entry count for nothing.
type Pattern struct{ Match, Approval string }

// PatternOptions is what [Resolve] decides with.
type PatternOptions struct {
	Patterns []Pattern
	// AllowCompound also looks into flat chains of literal commands joined by
	// && (TAM-17).
	AllowCompound bool
	// Shell is the path or name of the shell that will run the line. Empty
	// means that it is not known.
	Shell string
}

// An Outcome is what the shell tool says about one line. The zero Outcome has
// no opinion: the tool's tier exec decides.
type Outcome struct {
	Policy    string // "", "allow", "deny" or "prompt"
	WriteTier bool   // an allow counts at tier write
	Override  bool   // a critical command: it asks in every mode but yolo
	Reason    string
}

// Resolve applies patterns, chains and the critical commands to one line
// (TAM-15, TAM-16, TAM-17). A deny is absolute. In a chain whose segments are
// looked at, restrictions come before the critical commands; else a critical
// command comes before prompt and allow.
func Resolve(line string, o PatternOptions) Outcome { return Read(line).Resolve(o) }

// Resolve is the function of that name for a line that was read already.
func (l *Line) Resolve(o PatternOptions) Outcome {
	list := normalise(o.Patterns)
	if len(list) == 0 {
		reason, critical := l.Critical()
		return Outcome{Override: critical, Reason: reason}
	}
	if segments := l.chain(); o.AllowCompound && segments != nil && POSIXQuoting(o.Shell) {
		return l.resolveChain(list, segments)
	}
	restriction, whole := l.restrictions(list), list.first(fold(l.Source))
	if restriction.Policy == "deny" {
		return restriction
	}
	if reason, ok := l.Critical(); ok {
		return Outcome{Override: true, Reason: reason}
	}
	if restriction.Policy != "" {
		return restriction
	}
	if whole.Approval == "allow" && l.simple(o.Shell) {
		return allowed(whole)
	}
	return Outcome{}
}

func (l *Line) resolveChain(list patterns, segments []string) Outcome {
	var strictest Outcome
	all := true
	for _, s := range segments {
		p := list.first(s)
		strictest = stricter(strictest, restricted(p))
		all = all && p.Approval == "allow"
	}
	strictest = stricter(strictest, l.veto(list, segments))
	if strictest.Policy != "" {
		return strictest
	}
	if reason, ok := l.Critical(); ok {
		return Outcome{Override: true, Reason: reason}
	}
	if all {
		return Outcome{Policy: "allow", WriteTier: true, Reason: "every part of the chain is allowed by a pattern"}
	}
	return Outcome{}
}

// veto finds the restrictions that match the chain as a whole but none of its
// segments.
func (l *Line) veto(list patterns, segments []string) (strictest Outcome) {
	whole := fold(l.Source)
	for _, p := range list {
		if !p.matches(whole) || anyOf(segments, p.matches) {
			continue
		}
		strictest = stricter(strictest, restricted(p))
	}
	return strictest
}

// restrictions applies deny and prompt to a line outside of chains: to the
// line as a whole, and to each command in it. An allow ends the search for
// the text that it matches; for the whole line only if it can allow it.
func (l *Line) restrictions(list patterns) Outcome {
	var strictest Outcome
	whole := fold(l.Source)
	simple := l.single()
	for _, p := range list {
		if !p.matches(whole) || p.Approval == "allow" && !simple {
			continue
		}
		strictest = restricted(p)
		break
	}
	if simple && len(l.Commands) == 1 && len(l.Possible) == 0 {
		return stricter(strictest, decoded(list, &l.Commands[0]))
	}
	for i := range l.Commands {
		c := &l.Commands[i]
		found := stricter(restricted(list.first(fold(c.Source))), decoded(list, c))
		if len(c.Via) > 0 && found.Policy != "deny" {
			continue
		}
		strictest = stricter(strictest, found)
	}
	for i := range l.Possible {
		strictest = stricter(strictest, decoded(list, &l.Possible[i]))
	}
	return strictest
}

// decoded looks for a deny in the words as the program gets them.
func decoded(list patterns, c *Command) Outcome {
	for _, form := range c.Forms() {
		if found := restricted(list.first(fold(strings.Join(form, " ")))); found.Policy == "deny" {
			return found
		}
	}
	return Outcome{}
}

type patterns []Pattern

// normalise folds the entries and drops those without a valid approval.
func normalise(list []Pattern) patterns {
	out := make(patterns, 0, len(list))
	for _, p := range list {
		p.Match, p.Approval = fold(p.Match), strings.ToLower(strings.TrimSpace(p.Approval))
		if p.Match == "" || !listed("allow deny prompt", p.Approval) || p.Approval == "" {
			continue
		}
		out = append(out, p)
	}
	return out
}

// fold trims s and makes every run of blanks one space.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// first is the first entry that matches text, or none.
func (ps patterns) first(text string) Pattern {
	for _, p := range ps {
		if p.matches(text) {
			return p
		}
	}
	return Pattern{}
}

func (p Pattern) matches(text string) bool {
	parts := strings.Split(p.Match, "*")
	if len(parts) == 1 {
		return p.Match == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return strings.HasSuffix(text, last)
}

func restricted(p Pattern) Outcome {
	switch p.Approval {
	case "deny":
		return Outcome{Policy: "deny", Reason: "the pattern " + p.Match + " denies it"}
	case "prompt":
		return Outcome{Policy: "prompt", Reason: "the pattern " + p.Match + " asks for it"}
	}
	return Outcome{}
}

func allowed(p Pattern) Outcome {
	return Outcome{Policy: "allow", WriteTier: true, Reason: "the pattern " + p.Match + " allows it"}
}

// stricter is the stricter of two outcomes, the first when they are alike.
func stricter(a, b Outcome) Outcome {
	if a.Policy == "deny" || b.Policy == "" {
		return a
	}
	if b.Policy == "deny" || a.Policy == "" {
		return b
	}
	return a
}
