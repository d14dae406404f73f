package diffview

// A syntaxKind is what a piece of code is, as far as colours tell it.
type syntaxKind uint8

const (
	plainCode syntaxKind = iota
	keywordCode
	stringCode
	commentCode
	numberCode
	nameCode // of a function, a tag, a key
	typeCode
	syntaxKinds int = iota
)

// syntaxRoles are the colours of the kinds.
var syntaxRoles = map[syntaxKind]string{
	keywordCode: "keyword", stringCode: "string", commentCode: "comment",
	numberCode: "number", nameCode: "name", typeCode: "type",
}

// A syntaxSpan is a stretch of a line that is of one kind.
type syntaxSpan struct {
	Span
	kind syntaxKind
}
