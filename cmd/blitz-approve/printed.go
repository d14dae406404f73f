package main

import "github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"

// What commands say so often that it has a short name here.

func printable(s string) string { return output.Printable(s) }

func shortPath(path string) string { return output.ShortPath(path) }

func counted(n int, one, many string) string { return output.Counted(n, one, many) }
