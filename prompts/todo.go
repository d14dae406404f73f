package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MaxTodos is how many items a checklist may have (APR-43).
const MaxTodos = 50

// A Status says how far a todo is.
type Status string

const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Done       Status = "done"
)

// ParseStatus reads a status in the usual spellings: without regard to case,
// with spaces, dashes or underscores. Others are an error that lists the
// three names.
func ParseStatus(s string) (Status, error) {
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(fold(s)) {
	case "pending", "todo", "open", "notstarted", "queued", "waiting":
		return Pending, nil
	case "inprogress", "doing", "active", "started", "ongoing", "current", "wip":
		return InProgress, nil
	case "done", "completed", "complete", "finished", "closed":
		return Done, nil
	}
	return "", fmt.Errorf("unknown status %q: use %s, %s or %s", s, Pending, InProgress, Done)
}

// A Todo is one item of the checklist.
type Todo struct {
	Content string `json:"content"`
	Status  Status `json:"status"`
}

// A TodoList is the whole checklist; each call of the tool replaces it.
type TodoList struct {
	Items []Todo `json:"items"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	// Note tells the agent when several items are in progress at once.
	Note string `json:"note,omitempty"`
}

// ParseTodos reads the arguments of the todo tool: the list itself, or an
// object with it under items (or todos) (APR-43). It returns an error for
// more than [MaxTodos] items, and one that names every item whose content is
// empty or whose status is unknown.
func ParseTodos(raw json.RawMessage) (TodoList, error) {
	items, err := todoItems(raw)
	if err != nil {
		return TodoList{}, err
	}
	if len(items) > MaxTodos {
		return TodoList{}, fmt.Errorf("%d items are too many for the list: keep it to %d", len(items), MaxTodos)
	}
	list := TodoList{Items: make([]Todo, 0, len(items)), Total: len(items)}
	var faults []string
	started := 0
	for i, item := range items {
		todo, err := item.todo()
		if err != nil {
			faults = append(faults, fmt.Sprintf("item %d: %s", i+1, err))
			continue
		}
		switch todo.Status {
		case Done:
			list.Done++
		case InProgress:
			started++
		}
		list.Items = append(list.Items, todo)
	}
	if faults != nil {
		return TodoList{}, errors.New(strings.Join(faults, "; "))
	}
	if started > 1 {
		list.Note = fmt.Sprintf("%d items are in progress: it is clearer to work on one at a time", started)
	}
	return list, nil
}

type todoJSON struct {
	Content string `json:"content"`
	Status  string `json:"status"`
}

func (t todoJSON) todo() (Todo, error) {
	content := strings.TrimSpace(t.Content)
	if content == "" {
		return Todo{}, errors.New("its content is empty")
	}
	status, err := ParseStatus(t.Status)
	return Todo{Content: content, Status: status}, err
}

func todoItems(raw json.RawMessage) (items []todoJSON, err error) {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '[' {
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, fmt.Errorf("todo: %w", err)
		}
		return items, nil
	}
	var object struct{ Items, Todos *[]todoJSON }
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("todo: %w", err)
	}
	switch {
	case object.Items != nil:
		return *object.Items, nil
	case object.Todos != nil:
		return *object.Todos, nil
	}
	return nil, errors.New("todo: pass the whole list under items; an empty list clears it")
}
