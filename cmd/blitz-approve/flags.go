package main

import (
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"

	"github.com/blitz-approve/blitz-approve/tui"
)

// flags are those that every command takes.
type flags struct {
	workspace   string
	config      []string
	mode        string
	autoApprove bool
	yolo        bool
	json        bool
	plain       bool
	language    string
}

func (f *flags) register(fs *pflag.FlagSet) {
	fs.StringVarP(&f.workspace, "workspace", "w", "", "folder that the agent works in (default: the current one)")
	fs.StringArrayVar(&f.config, "config", nil, "further settings file, above the others; may be repeated")
	fs.StringVar(&f.mode, "approval-mode", "", "mode to start in: default, accept-edits, auto, plan, dont-ask, bypass, always-ask, always-ask-cached, write or yolo")
	fs.BoolVar(&f.autoApprove, "auto-approve", false, "start in yolo: everything passes that no rule stops, without a sandbox (the setting blitz.auto_approve starts in bypass, which needs one)")
	fs.BoolVar(&f.yolo, "yolo", false, "the same as --auto-approve")
	fs.BoolVar(&f.plain, "plain", false, "ask in lines instead of on a full screen, as for a screen reader; TERM=dumb does too")
	fs.StringVar(&f.language, "language", "", "language of the screen: "+strings.Join(tui.Languages(), ", ")+"; default: ui.language, else the locale")
	fs.BoolVar(&f.json, "json", false, "print lists as JSON")
}

// otherNames lets flags be written as other programs have them (APR-14).
func otherNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "permission-mode":
		name = "approval-mode"
	case "own":
		name = "here"
	}
	return pflag.NormalizedName(name)
}

// version is that of the module, as the build recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
