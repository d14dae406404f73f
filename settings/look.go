package settings

// Themes are the values of ui.theme: what the text is drawn on, and whether
// added and removed lines are told apart by blue and orange (BEY-13). With
// none, nothing has a colour.
var Themes = []string{"auto", "dark", "light", "none", "color-blind", "dark-color-blind", "light-color-blind"}

// Languages are the values of ui.language (BEY-11): that of the locale, or one
// of those that the screen speaks.
var Languages = []string{"auto", "en", "de", "fr", "es", "zh-Hans", "ja"}

// ColorRoles are the keys of [ui.colors]. A colour is named by what it says,
// not by where it stands; the screen has the same names.
var ColorRoles = []string{
	"muted", "rule", "accent", "good", "warn", "danger", "code",
	"added", "added_ground", "added_mark", "added_mark_ground",
	"removed", "removed_ground", "removed_mark", "removed_mark_ground",
	"context", "gutter", "hunk", "note", "escape", "tab",
	"keyword", "string", "comment", "number", "name", "type",
}

// The texts of certain settings have a form of their own.
var (
	colorName    = spellingOf(`^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$`, `a colour such as "#7cb7ff", or a number from "0" to "255" of the terminal's palette`)
	variableName = spellingOf(`^[A-Za-z_][A-Za-z0-9_]*$`, "the name of an environment variable; the key itself must not stand in a file")
)
