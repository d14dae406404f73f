package trust

import (
	"sync"

	"github.com/blitz-approve/blitz-approve/settings"
)

// Pending holds what waits for trust while a session runs, for a screen that
// shows one quiet line and, when asked, the rest. It may be used from any number
// of goroutines.
type Pending struct {
	Store *settings.TrustStore

	mu    sync.Mutex
	files []*settings.File
}

// Set is what waits from now on.
func (p *Pending) Set(files []*settings.File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files = files
}

// Offer is what waits now.
func (p *Pending) Offer() Offer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Offer{p.files, p.Store}
}
