package acp

import "sync"

// groupsApart are the process groups that an agent's commands have made for
// themselves. An agent ends these when it leaves, if it is given the time; who
// is killed can't, and afterwards nothing tells whose they were. What was
// started to outlive its parent is not among them.
type groupsApart map[int]map[int]procState // group, its members by id

// note adds the groups of what the program with this id has started, and of
// what that has started. It is called while the program runs.
func (g groupsApart) note(pid int) {
	all, err := processes()
	if err != nil {
		return
	}
	children := map[int][]int{}
	for id, p := range all {
		children[p.parent] = append(children[p.parent], id)
	}
	for left := []int{pid}; len(left) > 0; left = left[1:] {
		for _, id := range children[left[0]] {
			left = append(left, id)
			if group := all[id].group; group != pid && group > 1 {
				if g[group] == nil {
					g[group] = map[int]procState{}
				}
				g[group][id] = all[id]
			}
		}
	}
}

// end ends those of which something still runs, asking first, and returns when
// they are gone.
func (g groupsApart) end() {
	all, err := processes()
	if err != nil {
		return
	}
	var ending sync.WaitGroup
	for group, members := range g {
		for id, was := range members {
			// The same id may be another process by now.
			if now := all[id]; now.started == was.started && now.group == group && now.runs() {
				ending.Go(func() { endGroup(group) })
				break
			}
		}
	}
	ending.Wait()
}
