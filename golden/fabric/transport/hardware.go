package transport

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/packet/uet"
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
	// nothing may leave. room tells whether the link takes a frame. Cycle returns whether the next one must be executed
	// in its time; else the NIC rests until something is given to it.
	Cycle(n int64, room bool) bool
}

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
	// Noted reports an event of a connection's context, with all that is known of it but when and where. Its TxTime is
	// from the event on.
	Noted(conn int32, ev *cc.Event)
	// Fail ends the run.
	Fail(err error)
}

// board holds the NICs of a run in hardware.
type board struct {
	nics    []NIC
	active  []int32 // hosts whose next cycle must be executed in its time
	busy    []bool  // is in active
	running bool    // an evCycle is scheduled
	ran     units.Picos
	buf     []byte
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
	s.board = &board{nics: make([]NIC, len(s.hosts)), busy: make([]bool, len(s.hosts)), ran: -Period}
	configs := make([][]cc.Config, len(s.hosts))
	for i := range s.ccc {
		h := s.ccc[i].host
		configs[h] = append(configs[h], s.config(&s.ccc[i]))
	}
	for h := range s.hosts {
		spec.Configs = configs[h]
		spec.Host, spec.Out = int32(h), &around{s.Hosts, int32(h)}
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
	kept := b.active[:0]
	for _, h := range b.active {
		// The next frame is taken while one is sent. Acknowledgements that wait do not keep it away.
		room := s.net.Ports[h].Waiting() < int64(s.spec.MTU)
		if b.nics[h].Cycle(int64(b.ran/Period), room) {
			kept = append(kept, h)
		} else {
			b.busy[h] = false
		}
	}
	b.active = kept
	if b.running = len(kept) > 0; b.running {
		s.wheel.Push(b.ran+Period, evCycle, 0)
	}
}

// wake has a NIC execute its cycles from the next one on.
func (s hardware) wake(h int32) {
	b := s.board
	if b.busy[h] {
		return
	}
	b.busy[h], b.active = true, append(b.active, h)
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
	if k.Kind == net.PacketAck {
		s.count.Acks++
	} else {
		s.count.Nacks++
	}
	s.net.Pool.Release(i)
}

// around is the host of one NIC.
type around struct {
	*Hosts
	h int32
}

// Begins implements NICHost.
func (s *around) Begins(conn int32, psn uint32) { s.flows[s.tx[conn].flow].startPSN = psn }

// Fail implements NICHost.
func (s *around) Fail(err error) { s.wheel.Fail(fmt.Errorf("host %d: %w", s.h, err)) }

// decode decodes a frame.
func (s *around) decode(f Frame) (*uet.Packet, error) {
	if f.Length < len(f.Head) {
		return nil, errors.New("it is shorter than its head")
	}
	s.board.buf = append(append(s.board.buf[:0], f.Head...), make([]byte, f.Length-len(f.Head))...)
	return uet.Decode(uet.DefaultSpec(), s.board.buf)
}

// Depart implements NICHost.
func (s *around) Depart(conn int32, f Frame) {
	p, err := s.decode(f)
	if err == nil && !p.Sound() {
		err = errors.New(p.Complaints[0])
	}
	if err == nil && p.Lower.Src != net.Address(s.h) {
		err = fmt.Errorf("it comes from %v", p.Lower.Src)
	}
	k := net.Packet{PDC: conn, Flow: -1, Class: net.ClassHigh, Dst: -1}
	if err == nil {
		k.Dst = net.HostAt(p.Lower.Dst)
		k.Entropy = p.Lower.Entropy
		err = s.headers(&k, p)
	}
	if err == nil && (k.Dst < 0 || int(k.Dst) >= len(s.hosts)) {
		err = fmt.Errorf("it goes to %v", p.Lower.Dst)
	}
	if err != nil {
		s.Fail(fmt.Errorf("a frame of connection %d: %w", conn, err))
		return
	}
	var i int32
	if k.Kind == net.PacketData {
		i = s.net.Put(&k)
	} else {
		i = s.net.Control(&k)
		s.count.CtlSent++
	}
	s.net.SetFrame(i, f.Head)
	net.Offer(s.net, i, s.h)
}

// headers fills in what a packet of the network has of a frame's headers.
func (s *around) headers(k *net.Packet, p *uet.Packet) error {
	flag := func(set bool, bit uint8) {
		if set {
			k.Flags |= bit
		}
	}
	switch {
	case p.Request != nil:
		r := p.Request
		k.Kind, k.PSN = net.PacketData, r.PSN
		flag(r.Retx, net.FlagRetx)
		flag(r.AR, net.FlagAR)
		if r.Syn {
			k.Span = r.PSNOffset + 1
		}
		return s.data(k, int64(len(p.Payload)))
	case p.Ack != nil && p.Ack.CC != nil && p.Ack.CC.NSCC != nil:
		a, c := p.Ack, p.Ack.CC
		k.Kind, k.PSN, k.Cum = net.PacketAck, a.AckPSN(), a.CackPSN+1
		k.SackBase, k.Sack, k.Span = a.SackBase(), c.SackBitmap, uint16(c.MPR)
		k.Rcvd, k.OOO, k.Service = c.NSCC.RcvdBytes<<8, c.NSCC.OOO, c.NSCC.ServiceTime
		flag(a.M, net.FlagCE)
		flag(a.Retx, net.FlagRetx)
	case p.Nack != nil:
		k.Kind, k.PSN, k.Reason = net.PacketNack, p.Nack.PSN, uint8(p.Nack.Code)
		flag(p.Nack.M, net.FlagCE)
		flag(p.Nack.Retx, net.FlagRetx)
	case p.Control != nil && p.Control.CtlType == uet.Close:
		k.Kind, k.PSN = net.PacketClose, p.Control.PSN
		flag(p.Control.Retx, net.FlagRetx)
		s.count.Closes++
	default:
		return fmt.Errorf("it is of type %v", p.Type)
	}
	return nil
}

// data fills in the place of a data packet in its flow. Its payload must be what the flow has there.
func (s *around) data(k *net.Packet, payload int64) error {
	t := &s.tx[k.PDC]
	if t.flow < 0 || t.dst != k.Dst || s.ccc[t.ccc].host != s.h {
		return fmt.Errorf("PSN %d to host %d: no message is under way there", k.PSN, k.Dst)
	}
	f := &s.flows[t.flow]
	index, want := int64(k.PSN-f.startPSN), int64(s.spec.MTU-s.spec.HeaderBytes)
	if index == f.packets-1 {
		want = f.last
	}
	if index >= f.packets || payload != want {
		return fmt.Errorf("PSN %d: %d bytes; it is packet %d of a message of %d, and has %d", k.PSN, payload, index,
			f.packets, want)
	}
	if k.Flags&net.FlagRetx != 0 {
		f.rtx++
		s.count.Retransmits++
	} else {
		t.unsent--
		s.count.NewPackets++
	}
	k.Flow, k.Class, k.NoTrim = t.flow, t.class, t.noTrim
	k.Nominal = int32(payload) + int32(s.spec.HeaderBytes)
	k.Size = k.Nominal
	s.bytes.Sent += payload
	return nil
}

// Took implements NICHost.
func (s *around) Took(number uint32, v ackgen.Verdict) {
	i := int32(number)
	k := s.net.Pool.At(i)
	trimmed := k.Flags&net.FlagTrimmed != 0
	switch {
	case k.Kind == net.PacketClose && (v == ackgen.VerdictClosed || v == ackgen.VerdictRefused):
		s.count.ClosesArrived++
	case k.Kind == net.PacketData && v == ackgen.VerdictAccepted && !trimmed:
		receiver{s.Hosts}.deliver(k)
	case k.Kind == net.PacketData && v == ackgen.VerdictDuplicate:
		s.flows[k.Flow].spurious++
		s.net.LostPayload(k)
		if trimmed {
			s.count.TrimsArrived++
			s.count.DupTrims++
		} else {
			s.count.Duplicates++
		}
	case k.Kind == net.PacketData && v == ackgen.VerdictRefused:
		s.net.LostPayload(k)
		if trimmed {
			s.count.TrimsArrived++
		} else {
			s.count.OutOfRange++
		}
	default:
		s.Fail(fmt.Errorf("packet %d of connection %d, kind %d, trimmed %t: %v", k.PSN, k.PDC, k.Kind, trimmed, v))
		return
	}
	s.net.Pool.Release(i)
}

// Lost implements NICHost.
func (s *around) Lost(conn int32) {
	s.count.InferredLosses++
	s.count.Timeouts++
	if f := s.tx[conn].flow; f >= 0 {
		s.flows[f].timeouts++
	}
}

// Noted implements NICHost.
func (s *around) Noted(conn int32, ev *cc.Event) {
	t := &s.tx[conn]
	c := &s.ccc[t.ccc]
	ev.Time, ev.NIC, ev.CCC, ev.PDC, ev.NICPDC = s.wheel.Now(), c.host, c.id, t.index, t.nicPDC
	if ev.TxValid {
		ev.TxTime += ev.Time
	}
	s.count.CCEvents++
	if s.tap != nil && !s.wheel.Halted() && !s.tap(ev) {
		s.wheel.Halt()
	}
}

// Acked implements NICHost.
func (s *around) Acked(conn int32) {
	t := &s.tx[conn]
	if t.flow < 0 || t.unsent > 0 {
		s.Fail(fmt.Errorf("connection %d: acknowledged, and %d packets are not sent", conn, t.unsent))
		return
	}
	fi := t.flow
	f := &s.flows[fi]
	t.flow = -1
	f.acked, f.ackedAt = f.bytes, s.wheel.Now()
	s.count.FlowsAcked++
	t.left--
	x := hardware{s.Hosts}
	if !t.once && (s.spec.Rounds == 0 || int(f.round)+1 < s.spec.Rounds) {
		x.startFlow(s.addFlow(conn, f.round+1, s.spec.FlowBytes))
	}
	x.nextMessage(conn)
	if t.left == 0 {
		t.life = lifeClosing
		s.board.nics[s.h].Close(conn)
	}
}
