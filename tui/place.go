package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// TellApart names a folder by as many of its last names as tell it from others:
// shop, or old/shop where there is a new/shop too. Others may hold the path
// itself.
func TellApart(path string, others []string) string {
	names := strings.Split(strings.Trim(path, "/"), "/")
	for n := 1; n < len(names); n++ {
		end := strings.Join(names[len(names)-n:], "/")
		alike := false
		for _, other := range others {
			alike = alike || other != path && strings.HasSuffix("/"+other, "/"+end)
		}
		if !alike {
			return end
		}
	}
	return path
}

// folderOf names where one of several agents works, among those that wait.
func (m *Model) folderOf(from *Client) string {
	if from == nil || from.Workspace == "" {
		return ""
	}
	var all []string
	for _, w := range m.queue.items {
		if w.from != nil {
			all = append(all, w.from.Workspace)
		}
	}
	return TellApart(from.Workspace, all)
}

// nameAndPlace names one of several agents, with where it works.
func nameAndPlace(agent, place string) string {
	if agent == "" || place == "" {
		return agent + place
	}
	return agent + " · " + place
}

// fitFolder is the end of an escaped path that fits into width cells: that is
// the part by which people know a folder.
func fitFolder(path string, width int) string {
	end := path
	for diffview.Width(end) > width {
		_, rest, more := strings.Cut(strings.TrimPrefix(end, "…/"), "/")
		if !more {
			return diffview.Truncate(strings.TrimPrefix(end, "…/"), max(1, width))
		}
		end = "…/" + rest
	}
	return end
}
