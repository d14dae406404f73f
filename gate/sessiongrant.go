package gate

import "fmt"

// A sessionGrant is a grant that ends with the process, or when everything was
// forgotten since its epoch (TAM-12).
type sessionGrant struct {
	target GrantTarget
	epoch  string // of the store, where that has epochs
}

// What a store says of an epoch. What can't be told ends nothing for good, but
// lets nothing pass until it can be told.
type epochIs uint8

const (
	epochUnknown epochIs = iota
	epochOver
	epochCurrent
)

// epochs are those of the session's grants, and what the store says of each.
func (s *state) epochs() map[string]epochIs {
	said := map[string]epochIs{}
	for _, g := range s.session.grants {
		if _, asked := said[g.epoch]; !asked {
			said[g.epoch] = s.epochIs(g.epoch)
		}
	}
	return said
}

func (s *state) epochIs(epoch string) epochIs {
	store, ok := s.grants.(GrantEpochs)
	if !ok {
		return epochCurrent
	}
	switch forgotten, err := store.Forgotten(epoch); {
	case err != nil:
		return epochUnknown
	case forgotten:
		return epochOver
	}
	return epochCurrent
}

// sessionGrants are those of the session that are known to hold.
func (s *state) sessionGrants() []Grant {
	if len(s.session.grants) == 0 {
		return nil
	}
	var holding []Grant
	said := s.epochs()
	for _, g := range s.session.grants {
		if said[g.epoch] == epochCurrent {
			holding = append(holding, Grant{GrantTarget: g.target})
		}
	}
	return holding
}

// newEpoch is the one that something granted now is noted with. It is older than
// what is granted, so that nothing that is forgotten meanwhile comes back; where
// the store can't tell, an older one does.
func (s *state) newEpoch() (string, error) {
	store, ok := s.grants.(GrantEpochs)
	if !ok {
		return "", nil
	}
	epoch, err := store.Epoch()
	if n := len(s.session.grants); err != nil && n > 0 {
		return s.session.grants[n-1].epoch, nil
	}
	if err != nil {
		return "", fmt.Errorf("it can't be told when everything is forgotten, so nothing is granted: %w", err)
	}
	return epoch, nil
}

// grantKeys grants until the process ends; with an error, nothing. The store is
// asked before the state is held, since it may take long.
func (g *Gate) grantKeys(keys []GrantTarget) error {
	s := g.state.Load()
	epoch, err := s.newEpoch()
	if err != nil {
		return err
	}
	said := s.epochs()
	g.change(func(s *state) {
		var grants []sessionGrant
		for _, old := range s.session.grants {
			switch said[old.epoch] {
			case epochOver:
				continue
			case epochCurrent:
				old.epoch = epoch
			}
			grants = append(grants, old)
		}
		for _, key := range keys {
			grants = append(grants, sessionGrant{key, epoch})
		}
		s.session.grants = grants
	})
	return nil
}
