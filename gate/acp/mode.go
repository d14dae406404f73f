package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrUnknownMode is returned for a mode that the agent does not have.
var ErrUnknownMode = errors.New("the agent has no such mode")

// looseWords are parts of the names of modes in which agents act without
// asking. A preset lists its agent's modes exactly; for others these words
// have to do, and a needless warning is better than none.
var looseWords = []string{
	"yolo", "bypass", "autoedit", "acceptedits", "fullaccess", "autopilot", "dangerous", "unrestricted",
	"allowall", "workspacewrite", "auto",
}

func (h *hosted) loosens(id string) bool {
	if h.options.Preset.Loose != nil {
		return slices.Contains(h.options.Preset.Loose, id)
	}
	name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(id))
	return slices.ContainsFunc(looseWords, func(w string) bool { return strings.Contains(name, w) })
}

// openModes takes the modes that a new session starts with.
func (h *hosted) openModes(r newSessionResult) {
	if r.Modes != nil {
		h.mu.Lock()
		h.mode.Available, h.modes = r.Modes.Available, true
		h.mu.Unlock()
		h.modeIs(r.Modes.Current)
	}
	h.configIs(r.ConfigOptions)
}

// modeIs notes the agent's mode, tells the screen when it is another one, and
// warns when the agent acts without asking in it.
func (h *hosted) modeIs(id string) {
	h.mu.Lock()
	same := id == "" || id == h.mode.Current
	h.mode.Current = orElse(id, h.mode.Current)
	event := ModeChanged{Current: SessionMode{ID: id, Name: id}, Available: h.mode.Available, Loosens: h.loosens(id)}
	for _, m := range h.mode.Available {
		if m.ID == id {
			event.Current = m
		}
	}
	h.mu.Unlock()
	if same {
		return
	}
	h.emit(event)
	if event.Loosens {
		h.notice(Warning, "the agent is in its mode %q: it does things without asking, so they never reach the gate", event.Current.Name)
	}
}

// configIs takes the agent's settings. Of these, one may be the mode, for
// agents that have no modes of the older sort, and one may switch asking off.
func (h *hosted) configIs(raw json.RawMessage) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return
	}
	config := map[string]configOption{}
	for _, item := range items {
		var c configOption
		// Settings of a shape that we don't know are none of ours.
		if json.Unmarshal(item, &c) == nil && c.ID != "" {
			config[c.ID] = c
		}
	}
	h.mu.Lock()
	before := h.config
	h.config = config
	mode, has := modeSetting(config)
	if has {
		h.mode.Available = nil
		for _, o := range mode.values() {
			h.mode.Available = append(h.mode.Available, SessionMode{o.Value, o.Name, o.Description})
		}
	}
	h.mu.Unlock()
	if has {
		h.modeIs(mode.value())
	}
	for id, bad := range h.options.Preset.LooseConfig {
		if config[id].value() == bad && before[id].value() != bad {
			h.notice(Warning, "the agent's setting %q is %q: it does things without asking, so they never reach the gate", id, bad)
		}
	}
}

// modeSetting is the setting that is the agent's mode.
func modeSetting(config map[string]configOption) (configOption, bool) {
	if mode := config["mode"]; mode.Category == "mode" {
		return mode, true
	}
	for _, id := range slices.Sorted(maps.Keys(config)) {
		if config[id].Category == "mode" {
			return config[id], true
		}
	}
	return configOption{}, false
}

// values are what the setting can be, also those that stand in groups.
func (c configOption) values() (list []configValue) {
	for _, o := range c.Options {
		if o.Options == nil {
			list = append(list, o.configValue)
		}
		list = append(list, o.Options...)
	}
	return list
}

func (c configOption) value() (s string) {
	_ = json.Unmarshal(c.Current, &s)
	return s
}

// SetMode puts the agent into one of its own modes.
func (h *hosted) SetMode(ctx context.Context, id string) error {
	h.mu.Lock()
	session, available, legacy := h.session, h.mode.Available, h.modes
	setting, byConfig := modeSetting(h.config)
	h.mu.Unlock()
	switch {
	case session == "":
		return ErrNoSession
	case !slices.ContainsFunc(available, func(m SessionMode) bool { return m.ID == id }):
		return fmt.Errorf("%w: %q", ErrUnknownMode, id)
	}
	if byConfig && (h.options.Preset.ModeByConfig || !legacy) {
		return h.setConfig(ctx, setting.ID, id)
	}
	_, err := h.peer.call(ctx, "session/set_mode", setModeParams{session, id}, func(json.RawMessage) { h.modeIs(id) })
	return err
}

func (h *hosted) setConfig(ctx context.Context, id, value string) error {
	_, err := h.peer.call(ctx, "session/set_config_option", setConfigParams{h.Session(), id, value}, func(raw json.RawMessage) {
		h.configIs(parseObject(raw)["configOptions"])
	})
	return err
}

// applyPreset makes the agent ask.
func (h *hosted) applyPreset(ctx context.Context) error {
	if err := h.applyMode(ctx); err != nil {
		return err
	}
	return h.applyConfig(ctx)
}

func (h *hosted) currentMode() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.mode.Current
}

func (h *hosted) applyMode(ctx context.Context) error {
	p, current := h.options.Preset, h.currentMode()
	if p.Mode != "" && current != p.Mode {
		err := h.SetMode(ctx, p.Mode)
		if errors.Is(err, ErrUnknownMode) {
			h.notice(Warning, "this version of the agent has no mode %q, in which it would ask; it is in %q", p.Mode, current)
		} else if err != nil {
			return fmt.Errorf("the agent can't be put into the mode in which it asks: %w", err)
		}
	}
	return nil
}

func (h *hosted) applyConfig(ctx context.Context) error {
	p := h.options.Preset
	h.mu.Lock()
	config := h.config
	h.mu.Unlock()
	for id, bad := range p.LooseConfig {
		if config[id].value() != bad {
			continue
		}
		if err := h.setConfig(ctx, id, p.StrictConfig[id]); err != nil {
			return fmt.Errorf("the agent's setting %q can't be made to ask: %w", id, err)
		}
	}
	return nil
}
