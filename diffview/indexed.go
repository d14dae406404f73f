package diffview

// A terminal of 256 colours has few dark ones, and none between black and a full
// green. The tints that are chosen for all colours would become two greys there,
// so that it gets colours of its own (BEY-13). The roles that aren't here are
// near enough to a numbered colour.

// indexed are their numbers: on light, and on dark.
var indexed = map[string]tone{
	"added":               {light: "22", dark: "157"},
	"added_ground":        {light: "194", dark: "22"},
	"added_mark":          {light: "22", dark: "231"},
	"added_mark_ground":   {light: "120", dark: "28"},
	"removed":             {light: "88", dark: "217"},
	"removed_ground":      {light: "224", dark: "52"},
	"removed_mark":        {light: "52", dark: "231"},
	"removed_mark_ground": {light: "210", dark: "88"},
	"escape":              {light: "58", dark: "222"},
	"keyword":             {light: "90", dark: "219"},
	"string":              {light: "58", dark: "223"},
	"comment":             {light: "240", dark: "251"},
	"number":              {light: "24", dark: "159"},
	"name":                {light: "25", dark: "153"},
	"type":                {light: "23", dark: "122"},
}

// indexedBlind replaces them for people who confuse red and green. The ground of
// what is removed is rather light, and so are the letters on it.
var indexedBlind = map[string]tone{
	"added":               {light: "18", dark: "153"},
	"added_ground":        {light: "189", dark: "17"},
	"added_mark":          {light: "17", dark: "231"},
	"added_mark_ground":   {light: "147", dark: "25"},
	"removed":             {light: "58", dark: "223"},
	"removed_ground":      {light: "223", dark: "58"},
	"removed_mark":        {light: "52", dark: "231"},
	"removed_mark_ground": {light: "215", dark: "130"},
	"escape":              {light: "58", dark: "229"},
	"keyword":             {light: "90", dark: "225"},
	"string":              {light: "58", dark: "230"},
	"comment":             {light: "240", dark: "253"},
	"name":                {light: "25", dark: "189"},
}

// tone is the colours of a role in the theme, one's own left aside.
func (t Theme) tone(role string) tone {
	var tables []map[string]tone
	if t.Indexed && t.ColorBlind {
		tables = append(tables, indexedBlind)
	}
	if t.Indexed {
		tables = append(tables, indexed)
	}
	if t.ColorBlind {
		tables = append(tables, blind)
	}
	for _, table := range tables {
		if c, ok := table[role]; ok {
			return c
		}
	}
	return tones[role]
}
