// Package cases is what `check --jsonl` and `show --jsonl` read: requests with
// the settings, the mode and the memory that they meet, one a line of JSON.
//
// [AnswerLines] goes through the lines of files, [Read] decodes one, and a
// [Checker] says what would happen to it or opens it for a caller who wants to
// see what a person would be asked. Nothing is written or remembered.
package cases
