package main

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	placeFlags = "workspace config"
	modeFlags  = " approval-mode auto-approve yolo"
	faceFlags  = " plain language"
	listFlags  = " json"
)

// commonFlags are the flags of every command that its help shows: those that it
// looks at. Commands below one that is named here are as it is. All flags are
// taken everywhere, so that a script may put the same before each command.
var commonFlags = map[string]string{
	"":                  placeFlags + faceFlags,
	"demo":              "config" + modeFlags + faceFlags,
	"run":               placeFlags + modeFlags + faceFlags,
	"acp":               "config language" + modeFlags,
	"stream":            placeFlags + modeFlags + faceFlags,
	"mcp":               placeFlags + modeFlags,
	"hook":              placeFlags + modeFlags,
	"install":           "workspace",
	"uninstall":         "workspace",
	"check":             placeFlags + modeFlags + listFlags,
	"show":              placeFlags + modeFlags + " language",
	"diff":              placeFlags,
	"approvals":         placeFlags + listFlags,
	"audit":             listFlags,
	"rules":             placeFlags + listFlags,
	"grants":            listFlags,
	"mode":              placeFlags + modeFlags + listFlags,
	"settings":          placeFlags + modeFlags + listFlags,
	"settings edit":     "workspace",
	"settings schema":   "",
	"settings validate": placeFlags + listFlags,
	"trust":             "workspace" + listFlags,
	"why":               listFlags,
	"doctor":            placeFlags + modeFlags + listFlags,
	"completion":        "",
	"help":              "",
}

// helpOfUsed has the help of each command leave out the common flags that it
// doesn't look at.
func helpOfUsed(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		used := usedFlags(c)
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = !slices.Contains(used, f.Name) })
		// The library would say by itself that help can't be written.
		out, text := c.OutOrStdout(), new(bytes.Buffer)
		c.SetOut(text)
		help(c, args)
		c.SetOut(out)
		_, _ = text.WriteTo(out)
	})
}

func usedFlags(c *cobra.Command) []string {
	for ; c.HasParent(); c = c.Parent() {
		name := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
		if used, known := commonFlags[name]; known {
			return strings.Fields(used)
		}
	}
	return strings.Fields(commonFlags[""])
}
