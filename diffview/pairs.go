package diffview

import "unicode/utf8"

const (
	// Blocks with more pairs of lines than this are not searched for the lines
	// that belong together.
	maxPairs = 400
	// Lines belong together from this share of common words on.
	alike = 0.4
)

// marks finds the changed words in the lines of one block, each pair of lines
// when it is first asked for. The zero marks has none.
type marks struct {
	olds, news func(i int) []byte
	toNew      []int // by old line, the new line that replaces it, or -1
	toOld      []int
	done       map[int][2][]Span // by old line
}

// marks pairs the lines of a block.
func (d *Diff) marks(b block) marks {
	if b.same || b.oldN == 0 || b.newN == 0 {
		return marks{}
	}
	m := marks{
		olds:  func(i int) []byte { return d.old.line(b.old + i) },
		news:  func(i int) []byte { return d.new.line(b.new + i) },
		toNew: make([]int, b.oldN),
		toOld: make([]int, b.newN),
		done:  map[int][2][]Span{},
	}
	m.pair()
	return m
}

func (m marks) old(i int) []Span {
	if m.done == nil || m.toNew[i] < 0 {
		return nil
	}
	return m.spans(i)[0]
}

func (m marks) new(i int) []Span {
	if m.done == nil || m.toOld[i] < 0 {
		return nil
	}
	return m.spans(m.toOld[i])[1]
}

func (m marks) spans(old int) [2][]Span {
	spans, ok := m.done[old]
	if !ok {
		spans[0], spans[1] = changedWords(m.olds(old), m.news(m.toNew[old]))
		m.done[old] = spans
	}
	return spans
}

// first is where a line begins to differ from its other version.
func (m marks) first(i int, old bool) int {
	if m.done == nil {
		return 0
	}
	j := i
	if old {
		j = m.toNew[i]
	} else {
		i = m.toOld[j]
	}
	if i < 0 || j < 0 {
		return 0
	}
	return commonPrefix(m.olds(i), m.news(j))
}

// commonPrefix is the number of bytes at the start that two lines share, in
// whole characters.
func commonPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// pair fills in which line replaces which: one by one if there are as many, or
// else the most alike that keep their order.
func (m marks) pair() {
	n, k := len(m.toNew), len(m.toOld)
	for i := range m.toNew {
		m.toNew[i] = -1
	}
	for j := range m.toOld {
		m.toOld[j] = -1
	}
	if n == k {
		for i := range n {
			m.toNew[i], m.toOld[i] = i, i
		}
		return
	}
	if n*k > maxPairs {
		return
	}
	olds, news := bags(n, m.olds), bags(k, m.news)
	score := make([][]float64, n+1) // best sum for the lines from i, j on
	for i := range score {
		score[i] = make([]float64, k+1)
	}
	gain := func(i, j int) float64 {
		if s := olds[i].likeness(news[j]); s >= alike {
			return s + score[i+1][j+1]
		}
		return -1
	}
	for i := n - 1; i >= 0; i-- {
		for j := k - 1; j >= 0; j-- {
			score[i][j] = max(score[i+1][j], score[i][j+1], gain(i, j))
		}
	}
	for i, j := 0, 0; i < n && j < k; {
		switch score[i][j] {
		case gain(i, j):
			m.toNew[i], m.toOld[j] = j, i
			i++
			j++
		case score[i+1][j]:
			i++
		default:
			j++
		}
	}
}

// A bag counts the words of a line, blanks left out.
type bag struct {
	words map[string]int
	n     int
}

func bags(n int, line func(int) []byte) []bag {
	all := make([]bag, n)
	for i := range all {
		all[i].words = map[string]int{}
		text := line(i)
		for _, w := range words(text[:min(len(text), maxWordLine)]) {
			if w[0] != ' ' && w[0] != '\t' {
				all[i].words[string(w)]++
				all[i].n++
			}
		}
	}
	return all
}

// likeness is the share of words that two lines have in common, 0 to 1.
func (b bag) likeness(c bag) float64 {
	common := 0
	for w, n := range b.words {
		common += min(n, c.words[w])
	}
	return 2 * float64(common) / float64(max(b.n+c.n, 1))
}
