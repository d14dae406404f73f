package shell

import "strings"

// sshPrograms are those that take settings of ssh's by -o.
const sshPrograms = "ssh scp sftp ssh-copy-id sshfs"

// sshRuns are the settings, in small letters, by which ssh runs a program of this
// machine, or loads one.
const sshRuns = "proxycommand localcommand knownhostscommand pkcs11provider securitykeyprovider xauthlocation include"

// sshLaunches are the words that hold such a setting.
func (c *Command) sshLaunches() (words []string) {
	if !listed(sshPrograms, ownName(c.Program())) {
		return nil
	}
	for i, w := range c.Words {
		setting := w.Text
		if i > 0 && !startsOption(setting) {
			if before := c.Words[i-1].Text; !startsOption(before) || strings.HasPrefix(before, "--") || !strings.HasSuffix(before, "o") {
				continue
			}
		} else if _, after, ok := strings.Cut(setting, "o"); ok {
			setting = after
		}
		if name, _ := sshSetting(setting); listed(sshRuns, name) {
			words = append(words, w.Text)
		}
	}
	return words
}

// sshSetting takes a setting apart: NAME=value or NAME value.
func sshSetting(s string) (name, value string) {
	s = strings.TrimLeft(s, " \t")
	at := strings.IndexAny(s, "= \t")
	if at < 0 {
		return strings.ToLower(s), ""
	}
	return strings.ToLower(s[:at]), strings.Trim(s[at:], "= \t\"")
}
