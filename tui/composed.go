package tui

var composed = []string{}
