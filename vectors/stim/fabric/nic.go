package fabric

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	network "github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// NICSource is one episode, fed by a simulation while it is read.
type NICSource struct {
	*pipe
	Rand   stim.Rand // for the contents of the events
	TickPs int64
	spare  item          // for what comes after the source was closed
	ids    map[int64]int // context or connection -> number in the block
	limit  int
	want   int
	sent   int
	taken  int
	run    int  // simulations that have ended
	inside bool // the last item is continued
}

// NICBlock describes to a simulation the NIC block that it feeds.
type NICBlock struct {
	Schema *event.Block
	Limit  int // contexts or connections that fit into the block

	// Short lets each flow of an incast have a connection of its own, which opens and closes. Such simulations end; one
	// follows another until there are enough events.
	Short bool

	// Prompt has what the block puts out taken within few cycles.
	Prompt bool

	// Configure writes the events that precede the simulation; it may be nil.
	Configure func(s *NICSource) error

	// Tap converts one event of the simulation. It returns the result of NICSource.Proceed, or true when the event does
	// not concern the block. NICSource.Fail ends the simulation with an error.
	Tap func(s *NICSource, t *cc.Event) bool

	// Packet converts a packet that a switch sends to a NIC; it may be nil. The packet is the simulation's own.
	Packet func(s *NICSource, k *net.Packet)
}

// OpenNIC starts the simulation and returns its events as one episode. Contexts of the simulation become contexts of
// the block in the order of their creation; those that do not fit are left out. The episode delivers as many events as
// the options ask for, or ends with an error.
func OpenNIC(b NICBlock, name string, spec settings.Spec, o *stim.Options) (stim.Source, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 sets no end; give a number of events", name)
	}
	words := event.NewLayout(b.Schema).In.Words
	s := &NICSource{pipe: newPipe(name, words), TickPs: int64(o.TickNs) * 1000,
		spare: item{Item: stim.Item{Words: make([]uint64, words)}},
		ids:   make(map[int64]int), limit: b.Limit, want: o.Events}
	if b.Configure != nil {
		if err := b.Configure(s); err != nil {
			s.cancel()
			return nil, fmt.Errorf("source %s: %w", s.name, err)
		}
	}
	r := stim.Seeded(o.Seed, b.Schema.Name, s.name, 0)
	s.Rand = stim.Seeded(o.Seed, b.Schema.Name, s.name, 1)
	s.begun = &stim.Episode{Name: s.name, Block: b.Schema.Name, Seed: o.Seed, Len: o.Events, Items: s.item,
		Times: s.times, Drive: drive(&r)}
	if b.Prompt {
		s.begun.Drive.Stall = stim.Pick(&r, stim.Density(20), stim.Density(60))
	}
	s.start(func() error {
		taps := []network.Option{network.WithTap(func(t *cc.Event) bool { return b.Tap(s, t) })}
		if b.Packet != nil {
			layout, err := spec.Layout()
			if err != nil {
				return err
			}
			taps = append(taps, network.WithPacketTap(func(kind net.PortKind, port int32, k *net.Packet) {
				if kind == net.PortDepart && int(layout.Ports[port].To) < layout.Hosts && s.Proceed() {
					b.Packet(s, k)
				}
			}))
		}
		for sent := -1; s.sent > sent && s.Proceed(); s.run++ {
			sent = s.sent
			opts := taps
			if b.Short {
				spec.Seed = s.Rand.U64()
				opts = append(opts, network.WithMessages(shortFlows(&s.Rand, &spec)))
			}
			if _, err := network.Run(s.ctx, spec, opts...); err != nil {
				return fmt.Errorf("fabric run: %w", err)
			}
			if !b.Short {
				break
			}
		}
		if s.flush(false) && s.sent < s.want {
			return fmt.Errorf("only %d of %d events were made: the simulation has ended", s.sent, s.want)
		}
		return nil
	})
	return s, nil
}

// Put returns the words of the next event. t is the simulation's event, or nil for one that does not exist there.
func (s *NICSource) Put(t *cc.Event) []uint64 { return s.PutPart(t, false) }

// PutPart is Put for a part of an event, such as a beat of a packet; more marks one that the next item continues.
func (s *NICSource) PutPart(t *cc.Event, more bool) []uint64 {
	it := s.putItem(t)
	s.inside = more
	it.More = more
	return it.Words
}

// PutOn is Put for a block with several input streams: the event comes on the stream of that lane when all before it
// were taken, and after that many cycles more.
func (s *NICSource) PutOn(lane int, gap uint16, t *cc.Event) []uint64 {
	it := s.putItem(t)
	it.Lane, it.Wait, it.Gap = lane, stim.WaitAll, gap
	return it.Words
}

// putItem returns the next item, one that nobody takes after the source was closed.
func (s *NICSource) putItem(t *cc.Event) *item {
	if !s.inside {
		s.sent++
	}
	it := s.put()
	if it == nil {
		return &s.spare
	}
	if t != nil {
		it.now, it.tx, it.timed = int64(t.Time), int64(t.TxTime), true
	}
	return it
}

// Number returns the block's number for a context or connection, in the order of first appearance; ok is false when the
// block is full.
func (s *NICSource) Number(nic, sub int32) (int, bool) {
	key := int64(nic)<<32 | int64(sub)
	n, ok := s.ids[key]
	if !ok {
		n = len(s.ids)
		s.ids[key] = n
	}
	return n, n < s.limit
}

// Connection returns the number of a packet's connection. Connections of a later simulation have other numbers.
func (s *NICSource) Connection(k *net.Packet) int32 { return int32(s.run)*flowsOfRun + k.PDC }

// Fail ends the simulation; the source reports err. It returns false, for a tap to return.
func (s *NICSource) Fail(err error) bool {
	s.err = err
	s.cancel()
	return false
}

// Proceed ends a tap call: it reports whether the simulation should continue.
func (s *NICSource) Proceed() bool { return !s.closed && s.sent < s.want }

// item fills in the next item, until there are as many as requested.
func (s *NICSource) item(it *stim.Item) bool {
	if s.taken == s.want || !s.next(it) {
		return false
	}
	if !it.More {
		s.taken++
	}
	return true
}
