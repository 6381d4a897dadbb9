package transport

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// NIC is the hardware of a host: both ends of all its connections, with messages of the host on one side and frames of
// the network on the other. It has a clock, of one cycle in Period.
type NIC interface {
	// Open opens a connection.
	Open(p *Peer)
	// Send sends a message on a connection that is open, or opens, and has none under way.
	Send(conn int32, bytes int64)
	// Close closes a connection that has no message under way.
	Close(conn int32)
	// Arrive takes a frame off the network, of a connection. Took is called for those that are to be judged, in the order
	// of arrival. The frame is valid during the call.
	Arrive(number uint32, conn int32, judged bool, f Frame)
	// Cycle executes a cycle, by its number since the run began, and those before it that it has not executed, in which
	// nothing may leave. room tells whether the link takes a frame. Cycle returns the next one that must be executed in
	// its time, Never for none. Until then the NIC rests, unless something is given to it.
	Cycle(n int64, room bool) (next int64)
}

// Never is the cycle that never comes.
const Never = math.MaxInt64

// Period is the time of a cycle.
const Period = units.Nanosecond

// Frame is a frame: its first bytes, and zeros up to its length.
type Frame struct {
	Head   []byte
	Length int
}

// FrameHead is the number of bytes that Frame.Head has, unless the frame is shorter.
const FrameHead = 128

// Peer is the other end of a connection that is to be opened.
type Peer struct {
	Conn    int32
	Context int32 // of the host; its connections have one other end
	Slot    uint8 // in the context
	Dst     int32
	First   uint32 // PSN of a connection whose predecessor in the hardware does not demand another
	Entropy uint16
	Config  cc.Config
}

// NICSpec is what a NIC is made for. All but Host, Configs and Out are the same for all NICs of a run.
type NICSpec struct {
	Control  string // name of the congestion control
	Host     int32
	Settings *settings.Spec
	Paths    int // that packets are sprayed over
	RTO      units.Picos
	Configs  []cc.Config // of its contexts
	Out      NICHost
	Count    *account.Counters // what the network has seen of it
}

// NICHost is the host around a NIC.
type NICHost interface {
	// Begins reports the first PSN of the message under way.
	Begins(conn int32, psn uint32)
	// Depart gives a frame to the network. Its connection is known to the NIC alone.
	Depart(conn int32, f Frame)
	// Took reports what became of a frame that arrived.
	Took(number uint32, v ackgen.Verdict)
	// Lost reports a packet that a timeout gave up.
	Lost(conn int32)
	// Acked reports that all of the message under way is acknowledged.
	Acked(conn int32)
	// Stopped reports that a connection has ended before its message, or its CLOSE, was acknowledged: after too many
	// timeouts, or by a NACK whose code is not 0. The NIC closes it and takes no message for it any more.
	Stopped(conn int32, code uint8)
	// Noted reports an event of a connection's context, with all that is known of it but when and where. Its TxTime is
	// from the event on.
	Noted(conn int32, ev *cc.Event)
	// Fail ends the run.
	Fail(err error)
}

// board holds the NICs of a run in hardware.
type board struct {
	nics    []NIC
	active  []int32 // hosts that do not rest forever
	due     []int64 // by host, the cycle that must be executed next; Never where it is not in active
	first   int64   // the first of these
	running bool    // an evCycle is scheduled
	ran     units.Picos
	buf     []byte
	count   []account.Counters // of each host
	lines   []line             // of each connection
}

// line is what a host knows of a connection besides what simulated hosts do.
type line struct {
	last    int32 // flow before the one under way, or -1: its resends may leave after its end
	resent  bool  // a packet
	stopped bool  // it has ended before its time
	code    uint8 // of the NACK that ended it, or 0
}

// why returns why a connection has ended before its time, "" where it has not.
func (l *line) why() string {
	switch {
	case !l.stopped:
		return ""
	case l.code != 0:
		return fmt.Sprintf("refused: the destination answered with NACK code %#x", l.code)
	}
	return "retries exhausted: the NIC stopped the connection after timeouts in a row without an answer"
}

// hardware is the hosts around NICs in hardware.
type hardware struct{ *Hosts }

// build makes the NICs of a run whose controls are NICs in hardware.
func (s hardware) build(given func(NICSpec) (NIC, error)) error {
	some, same := "", true
	spec := NICSpec{Settings: s.spec, Paths: s.spec.Paths}
	for i := range s.tx {
		t := &s.tx[i]
		c := &s.ccc[t.ccc]
		row := (sender{s.Hosts}).control(c)
		if row.NIC {
			some = row.Name
		}
		same = same && row.Name == (sender{s.Hosts}).control(&s.ccc[0]).Name
		spec.RTO = max(spec.RTO, c.rto)
	}
	if some == "" {
		if s.spec.Pipeline > 0 {
			return fmt.Errorf("nic.pipeline = %d: no host is a NIC in hardware; set cc to nscc-nicmodel", s.spec.Pipeline)
		}
		return nil
	}
	why := s.unfit(same)
	if given == nil {
		why = errors.New("this program does not make it")
	}
	if why != nil {
		return fmt.Errorf("cc = %s: %w", some, why)
	}
	spec.Control = some
	if s.tx[0].kind == lb.ECMP {
		spec.Paths = 1
	}
	s.board = &board{nics: make([]NIC, len(s.hosts)), due: slices.Repeat([]int64{Never}, len(s.hosts)), ran: -Period,
		count: make([]account.Counters, len(s.hosts)), lines: slices.Repeat([]line{{last: -1}}, len(s.tx))}
	configs := make([][]cc.Config, len(s.hosts))
	for i := range s.ccc {
		h := s.ccc[i].host
		configs[h] = append(configs[h], s.config(&s.ccc[i]))
	}
	for h := range s.hosts {
		spec.Configs = configs[h]
		spec.Host, spec.Out, spec.Count = int32(h), &around{s.Hosts, int32(h)}, &s.board.count[h]
		var err error
		if s.board.nics[h], err = given(spec); err != nil {
			return fmt.Errorf("cc = %s: %w", some, err)
		}
	}
	return nil
}

// unfit returns why a run cannot have NICs in hardware, or nil. same is false when not all name the
// same.
func (s hardware) unfit(same bool) error {
	spec := s.spec
	switch {
	case !same:
		return errors.New("a NIC is both ends of all connections, and other flows name other controls: leave out " +
			"cc.hosts, cc.contexts and cc of flows")
	case spec.PFC:
		return errors.New("data that is paused would hold up acknowledgements: set pfc to off")
	case spec.INT != settings.INTOff || spec.Retrace:
		return errors.New("it has no telemetry: set int and retrace to off")
	case spec.ServiceTime > 0 || spec.ServiceJitter > 0:
		return errors.New("it has a service time of its own: set service.us and service.jitter_us to 0")
	case spec.Entries > 0:
		return errors.New("its own number of entries is fixed: set nic.entries to 0")
	case spec.Recovery == settings.RecoverSLEEK:
		return errors.New("it finds losses by its own timer: set recovery to rto")
	}
	for i := range s.tx {
		if spec.OnePath() {
			break // nothing to balance, and lb has no effect
		}
		k := s.tx[i].kind
		if k != s.tx[0].kind || k != "" && k != lb.Oblivious && k != lb.ECMP {
			return fmt.Errorf("lb = %s: it sends all packets over all paths in turn, or each connection's over one: set "+
				"lb to oblivious or ecmp", k)
		}
	}
	for i := range s.flows {
		if m := s.flows[i].message; m != nil && m.Stop > 0 {
			return errors.New("a message in hardware is not stopped: leave out stop times")
		}
	}
	return nil
}

// onCycle executes a cycle of every NIC that does not rest.
func (s hardware) onCycle() {
	b := s.board
	b.ran = s.wheel.Now()
	if n := int64(b.ran / Period); n >= b.first {
		s.cycles(n)
	}
	// Between cycles that are executed it goes on, so that each has its place among what happens at one time.
	if b.running = len(b.active) > 0; b.running {
		s.wheel.Push(b.ran+Period, evCycle, 0)
	}
}

// cycles executes cycle n of the NICs that must.
func (s hardware) cycles(n int64) {
	b := s.board
	b.first = Never
	kept := b.active[:0]
	for _, h := range b.active {
		if b.due[h] <= n {
			// The next frame is taken while one is sent. Acknowledgements that wait do not keep it away.
			room := s.net.Ports[h].Waiting() < int64(s.spec.MTU)
			b.due[h] = b.nics[h].Cycle(n, room)
		}
		if b.due[h] < Never {
			kept = append(kept, h)
			b.first = min(b.first, b.due[h])
		}
	}
	b.active = kept
}

// wake has a NIC execute its cycles from the next one on.
func (s hardware) wake(h int32) {
	b := s.board
	rests := b.due[h] == Never
	b.due[h], b.first = 0, 0
	if !rests {
		return
	}
	b.active = append(b.active, h)
	if !b.running {
		b.running = true
		next := (s.wheel.Now() + Period - 1) / Period * Period
		s.wheel.Push(max(next, b.ran+Period), evCycle, 0)
	}
}

// startFlow gives flow fi to its connection, to be sent after those it has.
func (s hardware) startFlow(fi int32) {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	c := &s.ccc[t.ccc]
	if t.life == lifeNew {
		t.life = lifeOpen
		s.board.nics[c.host].Open(&Peer{Conn: f.pdc, Context: c.id, Slot: t.index, Dst: t.dst, First: t.first,
			Entropy: uint16(s.rngSpray.Uint64()), Config: s.config(c)})
	}
	f.start = s.wheel.Now()
	if t.queue < 0 {
		t.queue = fi
	} else {
		s.flows[t.tail].next = fi
	}
	t.tail = fi
	s.nextMessage(f.pdc)
}

// nextMessage sends the first of the waiting flows of a connection that has none under way.
func (s hardware) nextMessage(ti int32) {
	t := &s.tx[ti]
	if t.flow >= 0 || t.queue < 0 {
		return
	}
	f := &s.flows[t.queue]
	t.flow, t.unsent = t.queue, f.packets
	t.queue, f.next = f.next, -1
	h := s.ccc[t.ccc].host
	s.board.nics[h].Send(ti, f.bytes)
	s.wake(h)
}

// receive takes packet i off the network. Data and control packets are kept until the NIC has judged them.
func (s hardware) receive(i int32) {
	k := s.net.Pool.At(i)
	h := k.Dst
	feedback := k.Kind == net.PacketAck || k.Kind == net.PacketNack
	s.board.nics[h].Arrive(uint32(i), k.PDC, !feedback, onArrival(s.net.Frame(i), k, s.spec.TrimBytes))
	s.wake(h)
	if !feedback {
		return
	}
	(&around{s.Hosts, h}).tally(func(c *account.Counters) {
		if k.Kind == net.PacketAck {
			c.Acks++
		} else {
			c.Nacks++
		}
	})
	s.net.Pool.Release(i)
}

// finish closes a connection whose last flow is acknowledged, once no copy of its packets can be under way: one that
// comes after the CLOSE would open it anew.
func (s hardware) finish(ti int32) {
	s.tx[ti].life = lifeClosing
	if s.board.lines[ti].resent || s.spec.DupProb > 0 {
		s.wheel.Push(s.wheel.Now()+s.spec.PathRTO(), evClose, ti)
		return
	}
	s.onClose(ti)
}

// onClose closes a connection.
func (s hardware) onClose(ti int32) {
	t := &s.tx[ti]
	t.life = lifeClosed
	h := s.ccc[t.ccc].host
	s.board.nics[h].Close(ti)
	s.wake(h)
}
