package fabric

import (
	"context"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	network "github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// PortEvent is an event at one port of a simulated switch. It is small because a simulation keeps a million of them.
type PortEvent struct {
	Flow          int32
	PSN           uint32
	Size          uint16 // bytes on the link, after trimming
	Nominal       uint16 // bytes before trimming
	Entropy       uint16
	Port          uint8        // of the block
	In            uint8        // port of the block through which the packet came in
	Kind          net.PortKind // arrive, trim, drop or depart
	Packet        net.PacketKind
	Class         egress.Cls // after trimming
	Data          bool       // data that no port has cut yet
	Cut           bool       // this port cut it
	LastHop       bool       // the port faces a host
	Trimmed       bool
	TrimmedAtLast bool // at the last hop before the destination
	CE            bool
}

// roundEvents is the number of events, over all places, that the first simulation shows: about 9 microseconds of 128
// busy hosts. The next one then starts with other draws and shows twice as many, up to eight times roundEvents. The
// first is short because the player waits for it; each later one runs while the one before is played. The size is
// limited by memory: two simulations are held at once, at 28 bytes an event.
const roundEvents = 1 << 17

// round holds what the places see in one simulation.
type round struct {
	number int
	seen   [][]PortEvent // by place
	total  int
	sure   int // departures kept; each yields at least one event of every block
}

// tour is a series of simulations of one kind. Each place of each simulation is an episode.
type tour struct {
	spec   settings.Spec
	at     *places
	only   int // the only episode that is kept, by number; -1 for all
	enough int // departures of the first place played after which its round ends
	most   int // events of the first round, see roundEvents; negative: each round runs to its end
}

// first returns the place of a round that is played first.
func (t *tour) first() int {
	if t.only >= 0 {
		return t.only % len(t.at.first)
	}
	return 0
}

// simulate fills in a round. It shows fewer events when the simulation ends early.
func (t *tour) simulate(ctx context.Context, r *round) error {
	spec := t.spec
	spec.Seed += uint64(r.number) * 0x9e3779b97f4a7c15
	if r.seen == nil {
		r.seen = make([][]PortEvent, len(t.at.first))
	}
	r.total, r.sure = 0, 0
	most := t.most << min(r.number, 3)
	for i := range r.seen {
		r.seen[i] = r.seen[i][:0]
		if most > 0 && t.only < 0 { // growing would copy every event several times
			r.seen[i] = slices.Grow(r.seen[i], min(most, 8*t.enough)/len(r.seen))
		}
	}
	first, departed, full := int16(t.first()), 0, false
	cuts := map[cutKey]int{}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tap := func(kind net.PortKind, port int32, k *net.Packet) {
		place := t.at.of[port-t.at.hosts]
		if full || place < 0 || kind > net.PortDepart {
			return
		}
		r.total++
		if kind == net.PortDepart && place == first {
			departed++
		}
		if full = r.total == most || departed == t.enough; full {
			stop()
		}
		if t.only < 0 || place == first {
			if kind == net.PortDepart {
				r.sure++
			}
			r.seen[place] = append(r.seen[place], PortEvent{})
			t.at.note(&r.seen[place][len(r.seen[place])-1], kind, port, k, cuts)
		}
	}
	_, err := network.Run(ctx, spec, network.WithPacketTap(tap), network.WithTap(func(*cc.Event) bool { return !full }))
	if full {
		return nil
	}
	return err
}

// cutKey identifies a packet that waits in the port that cut it.
type cutKey struct {
	port, conn int32
	psn        uint32
}

// note fills in the event of packet k at a port that has a place.
func (p *places) note(e *PortEvent, kind net.PortKind, port int32, k *net.Packet, cuts map[cutKey]int) {
	place := p.of[port-p.hosts]
	trimmed := k.Flags&net.FlagTrimmed != 0
	e.Flow, e.PSN, e.Size, e.Nominal, e.Entropy = k.Flow, k.PSN, uint16(k.Size), uint16(k.Nominal), k.Entropy
	e.Port, e.In, e.Kind, e.Packet = uint8(port-p.first[place]), p.inside(place, k.In()), kind, k.Kind
	e.Class, e.Data, e.LastHop = egress.Cls(2-k.Class), k.Kind == net.PacketData && !trimmed, p.lastHop[port-p.hosts]
	e.Trimmed, e.TrimmedAtLast, e.CE = trimmed, k.Flags&net.FlagLastHop != 0, k.Flags&net.FlagCE != 0
	if !trimmed {
		return
	}
	if key := (cutKey{port, k.PDC, k.PSN}); kind == net.PortTrim {
		cuts[key]++
		e.Cut = true
	} else if kind != net.PortArrive && cuts[key] > 0 {
		e.Cut = true
		if cuts[key]--; cuts[key] == 0 {
			delete(cuts, key)
		}
	}
}
