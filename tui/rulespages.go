package tui

import "github.com/blitz-approve/blitz-approve/gate"

// builtIn is the source of what no file gives.
var builtIn = gate.Source{Layer: "built-in"}

// pages says what a rule book says of its own in the person's language. It
// runs off the goroutine that draws.
func (w *wording) pages(pages []RulePage) []RulePage {
	if w.language == nil {
		return pages
	}
	for i := range pages {
		p := &pages[i]
		w.replace(&p.Name, &p.Empty)
		for j := range p.Groups {
			g := &p.Groups[j]
			w.replace(&g.Title, &g.Problem, &g.Clearing)
			for k := range g.Items {
				w.item(&g.Items[k])
			}
		}
		if p.Offer != nil {
			w.offer(p.Offer)
		}
	}
	return pages
}

// item leaves what stands in a file as it is: a rule is its text.
func (w *wording) item(it *RuleItem) {
	if !it.Rule {
		w.replace(&it.Mark)
	}
	if it.Source == (gate.Source{}) || it.Source == builtIn {
		w.replace(&it.Text)
	}
	w.replace(&it.Aside, &it.Problem, &it.Removing)
	for i := range it.Details {
		w.replace(&it.Details[i].Label, &it.Details[i].Value)
	}
}

// offer keeps what would be trusted, which are the lines with a sign or a
// blank before them.
func (w *wording) offer(o *RuleOffer) {
	for i, l := range o.Lines {
		if l != "" && l[0] != '+' && l[0] != '-' && l[0] != ' ' {
			o.Lines[i] = w.known(l)
		}
	}
}

func (w *wording) replace(texts ...*string) {
	for _, t := range texts {
		*t = w.known(*t)
	}
}
