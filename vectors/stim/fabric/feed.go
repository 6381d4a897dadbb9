package fabric

import (
	"fmt"
	"strconv"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// SwitchBlock describes to a simulation the switch block that it feeds.
type SwitchBlock struct {
	Schema *event.Block
	Ports  int         // of the block
	Relief []stim.Item // see stim.DriveSpec

	// Begin puts the events that configure the block. It returns a function that puts the block's events for one port
	// event. Feed calls Begin at the start of each episode.
	Begin func(f *Feed) func(e *PortEvent)
}

// Feed is a source whose items come from simulations that run while it is read. Each place of the block in the
// simulated network is an episode. After the last place of a simulation comes the first place of the next one.
type Feed struct {
	*pipe
	Rand stim.Rand // for the contents of the episode

	block  SwitchBlock
	o      *stim.Options
	tour   tour
	whole  bool // one episode of all simulations, at the first place
	events int
	want   int
	inside [8]bool
}

// NewFeed returns a feed of the block from one kind of simulation: every episode, or only the one numbered part. It
// delivers as many events as the options ask for, or ends with an error. A single episode may end earlier.
func NewFeed(b SwitchBlock, name string, spec settings.Spec, o *stim.Options, part string) (*Feed, error) {
	only := -1
	if part != "" {
		n, err := strconv.ParseUint(part, 10, 24)
		if err != nil {
			return nil, fmt.Errorf("source fabric:%s/%s: episode must be a number, as in fabric:%s/17", name, part, name)
		}
		only = int(n)
	}
	f, err := newFeed(b, name, spec, o)
	if err != nil {
		return nil, err
	}
	f.tour.only = only
	f.start(f.run)
	return f, nil
}

// NewLong returns a feed with one episode: what the first place sees in one simulation after another, each run to its
// end.
func NewLong(b SwitchBlock, name string, spec settings.Spec, o *stim.Options) (*Feed, error) {
	f, err := newFeed(b, name, spec, o)
	if err != nil {
		return nil, err
	}
	f.whole, f.tour.most, f.tour.only = true, -1, 0
	f.start(f.run)
	return f, nil
}

func newFeed(b SwitchBlock, name string, spec settings.Spec, o *stim.Options) (*Feed, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 sets no end; give a number of events", name)
	}
	at, err := placesOf(spec, b.Ports)
	if err != nil {
		return nil, fmt.Errorf("source fabric:%s: %w", name, err)
	}
	return &Feed{pipe: newPipe(name, event.NewLayout(b.Schema).In.Words), block: b, o: o, want: o.Events,
		tour: tour{spec: spec, at: at, only: -1, enough: o.Events, most: roundEvents}}, nil
}

// Put returns the words of the next item, all 0, or nil when the feed must end. more marks that the next item of the
// stream belongs to this one.
func (f *Feed) Put(lane int, wait uint8, more bool) []uint64 {
	if !f.inside[lane] {
		if f.events == f.want {
			return nil
		}
		f.events++
	}
	f.inside[lane] = more
	it := f.put()
	if it == nil {
		return nil
	}
	it.Lane, it.Wait, it.More = lane, wait, more
	return it.Words
}

// Gap makes the last item wait for that many more cycles.
func (f *Feed) Gap(cycles uint16) { f.in[f.used-1].Gap = cycles }

// enough reports whether enough events were made or the source is closed.
func (f *Feed) enough() bool { return f.events >= f.want || f.closed }
