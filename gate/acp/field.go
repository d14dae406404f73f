package acp

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// A field is one field of a form.
type field struct {
	name         string
	header, text string
	message      string // of the whole form
	kind         string // string, number, integer, boolean, array
	required     bool
	multi        bool
	choices      []choice
	// other is a second field that takes an answer in the person's own words.
	other string
	// noted says that other takes a remark beside a choice too.
	noted  bool
	limits limits
}

// A choice is one offered answer: the value that is sent and how it reads.
type choice struct{ value, label, description string }

type limits struct {
	MinLength, MaxLength *int
	Minimum, Maximum     *float64
	MinItems, MaxItems   *int
	Pattern              *string
}

// parseForm reads a form's schema in its own order. It fails for whatever it
// doesn't know: a control drawn by guess would send a wrong answer. What is ours
// in it is in the words of t.
func parseForm(raw json.RawMessage, t texts) ([]field, error) {
	schema := parseObject(raw)
	if t := orElse(schema.text("type"), "object"); schema == nil || t != "object" {
		return nil, errNoObject
	}
	required := map[string]bool{}
	for _, name := range schema.texts("required") {
		required[name] = true
	}
	if schema["properties"] == nil {
		return nil, nil
	}
	list, err := members(schema["properties"])
	if err != nil {
		return nil, err
	}
	var fields []field
	for _, m := range list {
		f, err := parseField(m, t)
		if err != nil {
			return nil, fmt.Errorf("the field %q: %w", m.name, err)
		}
		f.required = required[m.name]
		fields = append(fields, f)
	}
	return pairFields(fields), nil
}

func parseField(m member, t texts) (field, error) {
	o := parseObject(m.value)
	f := field{name: m.name, kind: o.text("type"), header: o.text("title"), text: o.text("description")}
	if f.text == "" {
		f.text = orElse(f.header, f.name)
	}
	f.limits = parseLimits(o)
	switch f.kind {
	case "string":
		f.choices = parseChoices(o, "enum", "oneOf")
		return f, f.checkChoices(o, "enum", "oneOf")
	case "array":
		items := o.object("items")
		f.multi = true
		f.choices = parseChoices(items, "enum", "anyOf")
		if len(f.choices) == 0 {
			return f, fmt.Errorf("a list without choices")
		}
		return f, f.checkChoices(items, "enum", "anyOf")
	case "boolean":
		f.choices = yesNo(t)
		return f, nil
	case "number", "integer":
		return f, nil
	}
	return f, fmt.Errorf("unknown type %.40s", o["type"])
}

func parseLimits(o object) (l limits) {
	read := func(name string, v any) { _ = json.Unmarshal(o[name], v) }
	read("minLength", &l.MinLength)
	read("maxLength", &l.MaxLength)
	read("minimum", &l.Minimum)
	read("maximum", &l.Maximum)
	read("minItems", &l.MinItems)
	read("maxItems", &l.MaxItems)
	read("pattern", &l.Pattern)
	return l
}

// parseChoices reads plain values, or values with titles.
func parseChoices(o object, plain, titled string) (list []choice) {
	for _, value := range o.texts(plain) {
		list = append(list, choice{value: value, label: value})
	}
	items, _ := o.list(titled)
	for _, item := range items {
		c := parseObject(item)
		value, ok := c.optional("const")
		if !ok {
			return nil
		}
		entry := choice{value: value, label: orElse(c.text("title"), value), description: c.text("description")}
		if d := c.object("_meta").object("_claude/askUserQuestionOption").text("description"); d != "" && entry.description == "" {
			entry.description = d
			entry.label = strings.TrimSuffix(entry.label, " — "+d)
		}
		list = append(list, entry)
	}
	return list
}

// checkChoices refuses lists that could not be read as a whole, and labels
// that can't be told apart.
func (f field) checkChoices(o object, plain, titled string) error {
	a, b := len(o.texts(plain)), 0
	if items, ok := o.list(titled); ok {
		b = len(items)
	}
	if a+b != len(f.choices) || a == 0 && o[plain] != nil && string(o[plain]) != "null" {
		return fmt.Errorf("choices that can't be read")
	}
	seen := map[string]bool{}
	for _, c := range f.choices {
		if seen[c.label] {
			return fmt.Errorf("two choices with the same name")
		}
		seen[c.label] = true
	}
	return nil
}

// pairFields joins a choice and the field beside it for an answer in other
// words (question_0 and question_0_custom, or id and id_note) into one
// question.
func pairFields(fields []field) (paired []field) {
	at := map[string]int{}
	for _, f := range fields {
		base, ok := strings.CutSuffix(f.name, "_custom")
		note := false
		if !ok {
			base, ok = strings.CutSuffix(f.name, "_note")
			note = ok
		}
		if i, known := at[base]; ok && known && f.kind == "string" && len(f.choices) == 0 && len(paired[i].choices) > 0 && !f.required {
			paired[i].other, paired[i].noted = f.name, note
			continue
		}
		at[f.name] = len(paired)
		paired = append(paired, f)
	}
	return paired
}

// chosen splits an answer into the values of the chosen options and other
// words.
func (f field) chosen(a prompts.Answer) (values []string, typed string) {
	labels := a.Selected
	if labels == nil && len(f.choices) > 0 {
		labels = []string{a.Text}
	}
	for _, l := range labels {
		for _, c := range f.choices {
			if l == c.label || l == c.value {
				values = append(values, c.value)
				break
			}
		}
	}
	if text := strings.TrimSpace(a.Text); len(values) == 0 || a.Selected != nil && text != strings.Join(a.Selected, ", ") {
		typed = text
	}
	return values, typed
}

// accept puts an answer into content; else it says what is wrong with it.
func (f field) accept(a prompts.Answer, content map[string]any) (fault string) {
	if len(f.choices) > 0 {
		return f.acceptChoice(a, content)
	}
	text := strings.TrimSpace(a.Text)
	if text == "" && a.Text == "" && !f.required {
		return ""
	}
	switch f.kind {
	case "integer", "number":
		n, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || math.IsInf(n, 0) || math.IsNaN(n):
			return "Please give a number."
		case f.kind == "integer" && n != math.Trunc(n):
			return "Please give a whole number."
		case f.limits.Minimum != nil && n < *f.limits.Minimum:
			return fmt.Sprintf("It must be at least %g.", *f.limits.Minimum)
		case f.limits.Maximum != nil && n > *f.limits.Maximum:
			return fmt.Sprintf("It must be at most %g.", *f.limits.Maximum)
		}
		content[f.name] = json.Number(strings.TrimPrefix(text, "+"))
		if !json.Valid([]byte(content[f.name].(json.Number))) || f.kind == "integer" {
			content[f.name] = n
		}
		return ""
	}
	if fault := f.limits.text(a.Text); fault != "" {
		return fault
	}
	if f.required && text == "" {
		return "Please answer this."
	}
	content[f.name] = a.Text
	return ""
}

func (l limits) text(s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case l.MinLength != nil && n < *l.MinLength && *l.MinLength == 1:
		return "It must have at least 1 character."
	case l.MinLength != nil && n < *l.MinLength:
		return fmt.Sprintf("It must have at least %d characters.", *l.MinLength)
	case l.MaxLength != nil && n > *l.MaxLength && *l.MaxLength == 1:
		return "It must have at most 1 character."
	case l.MaxLength != nil && n > *l.MaxLength:
		return fmt.Sprintf("It must have at most %d characters.", *l.MaxLength)
	}
	if l.Pattern != nil {
		// A pattern of another dialect is left to the agent to check.
		if re, err := regexp.Compile(*l.Pattern); err == nil && !re.MatchString(s) {
			return "It must match " + *l.Pattern
		}
	}
	return ""
}

func (f field) acceptChoice(a prompts.Answer, content map[string]any) string {
	values, typed := f.chosen(a)
	if typed != "" {
		if f.other == "" {
			return "Please choose from the list."
		}
		content[f.other] = typed
		if len(values) == 0 {
			return ""
		}
	} else if a.Note != "" && f.noted {
		content[f.other] = a.Note
	}
	switch {
	case f.kind == "boolean" && len(values) == 1:
		content[f.name] = values[0] == yes
	case f.multi && f.limits.MinItems != nil && len(values) < *f.limits.MinItems:
		return fmt.Sprintf("Please choose at least %d.", *f.limits.MinItems)
	case f.multi && f.limits.MaxItems != nil && len(values) > *f.limits.MaxItems:
		return fmt.Sprintf("Please choose at most %d.", *f.limits.MaxItems)
	case len(values) == 0 && f.required:
		return "Please choose one."
	case f.multi:
		content[f.name] = append([]string{}, values...)
	case len(values) == 1:
		content[f.name] = values[0]
	case len(values) > 1:
		return "Please choose only one."
	}
	return ""
}
