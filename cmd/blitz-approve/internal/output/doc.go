// Package output is how commands print: JSON in which no text acts on a
// terminal, text from outside made safe, paths as a person writes them, and
// numbers with their nouns.
package output
