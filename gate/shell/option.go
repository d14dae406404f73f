package shell

import "strings"

// An options table says which options of a program take a value, so that a
// value isn't mistaken for an option, an operand or a program. Long names are
// written between spaces, without dashes.
type options struct {
	flags      string // short options without a value; only for tables that must be complete
	values     string // short options whose value is attached or the next word
	attached   string // short options whose value, if any, is attached
	longFlags  string // long options without a value or with an attached one; only for complete tables
	longValues string // long options that take the next word when they have no =value
	abbreviate bool   // long names may be shortened
	single     bool   // long options may be written with one dash
}

// A found option is one that stands in a command's words.
type found struct {
	name     string // "o" or "output", without dashes
	value    string
	hasValue bool
	known    bool // the table lists it
	short    bool // it is a single letter after one dash
	at       int  // index of its word
	valueAt  int  // index of the word that holds the value
}

// listed reports whether name is one of the words of list.
func listed(list, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(list[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || list[at-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		from = end
	}
}

// complete finds the option that a shortened long name means, or name itself.
func (o *options) complete(name string) string {
	if !o.abbreviate || listed(o.longValues, name) || listed(o.longFlags, name) {
		return name
	}
	match := name
	for _, list := range []string{o.longValues, o.longFlags} {
		for full := range strings.FieldsSeq(list) {
			if strings.HasPrefix(full, name) {
				if match != name {
					return name // it means several
				}
				match = full
			}
		}
	}
	return match
}

// scan reads the options in words, from the first after the program. With
// stop it ends at the first operand, as wrappers do.
func (o *options) scan(words []Word, stop bool) (opts []found, operands []int) {
	for i := 1; i < len(words); i++ {
		w := words[i].Text
		switch {
		case w == "--":
			for i++; i < len(words); i++ {
				operands = append(operands, i)
			}
			return opts, operands
		case strings.HasPrefix(w, "--") || o.single && len(w) > 2 && w[0] == '-':
			f := o.long(words, i)
			opts = append(opts, f)
			i = max(i, f.valueAt)
		case len(w) > 1 && w[0] == '-':
			cluster := o.cluster(words, i)
			opts = append(opts, cluster...)
			i = max(i, cluster[len(cluster)-1].valueAt)
		case stop:
			for ; i < len(words); i++ {
				operands = append(operands, i)
			}
			return opts, operands
		default:
			operands = append(operands, i)
		}
	}
	return opts, operands
}

func (o *options) long(words []Word, i int) found {
	name, value, has := strings.Cut(strings.TrimLeft(words[i].Text, "-"), "=")
	f := found{name: o.complete(name), value: value, hasValue: has, at: i, valueAt: i}
	takes := listed(o.longValues, f.name)
	f.known = takes || listed(o.longFlags, f.name)
	if takes && !has && i+1 < len(words) {
		f.value, f.hasValue, f.valueAt = words[i+1].Text, true, i+1
	}
	return f
}

func (o *options) cluster(words []Word, i int) (opts []found) {
	w := words[i].Text
	for k := 1; k < len(w); k++ {
		f := found{name: w[k : k+1], short: true, at: i, valueAt: i}
		switch {
		case strings.IndexByte(o.values, w[k]) >= 0:
			f.known, f.hasValue = true, true
			if f.value = w[k+1:]; f.value == "" && i+1 < len(words) {
				f.value, f.valueAt = words[i+1].Text, i+1
			}
			return append(opts, f)
		case strings.IndexByte(o.attached, w[k]) >= 0:
			f.known, f.value = true, w[k+1:]
			f.hasValue = f.value != ""
			return append(opts, f)
		default:
			f.known = strings.IndexByte(o.flags, w[k]) >= 0
			opts = append(opts, f)
		}
	}
	return opts
}
