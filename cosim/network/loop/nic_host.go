package loop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	model "github.com/goldwire/goldwire/rtlmodel/nic"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// software is what a host does with its NIC: it configures it, gives contexts to destinations and PDCs to connections,
// sends messages, and counts what the NIC notes against what it does.
type software struct {
	spec   *transport.NICSpec
	params model.Spec
	tickNs int

	queue   []port.Cmd        // the first one is offered, or accepted and not answered
	offered bool              // it is accepted
	read    func(data uint64) // takes the answers, nil for nobody
	setup   int               // commands of the queue that configure the block before the network begins

	sets  []registerFile     // of the profiles of ccc
	rows  []resident         // by context
	of    map[int32]int      // context of the block, by context of the host
	conns map[int32]*sending // by number
	pdcs  []*sending         // by PDC
	waits []transport.Peer   // connections without a context

	ev      cc.Event
	noted   []leaving // packets that have not left
	owed    []arrived // frames whose answers have not left
	running int       // messages under way and PDCs that close
	stopped uint64    // PDCs that ended before their time
}

// resident is a context of the block.
type resident struct {
	used  bool
	conns int // that it has
	next  [port.Slots]uint32
	kept  []int32 // hosts that may still have a PDC of it: one that was stopped
}

// sending is a connection.
type sending struct {
	peer    transport.Peer
	pdc     int
	psn     uint32  // of the first packet of the next message
	message []int64 // that waits for a context
	packets uint32  // of the message under way
	taken   bool    // the NIC has it
	closing bool
	stopped bool
}

// leaving is a packet that was noted.
type leaving struct {
	note port.Note
	conn *sending
}

// apart is the least distance between the PSNs of two PDCs that follow each other in a slot (txpdc, "Outside").
const apart = 8192

// underHeader is what an IP packet has before its payload: UDP and PDS header.
const underHeader = 8 + 16

// init queues the commands that configure the block. It returns an error if the block cannot do what the spec asks for.
func (s *software) init(spec *transport.NICSpec, params model.Spec, tickNs int) error {
	*s = software{spec: spec, params: params, tickNs: tickNs, of: map[int32]int{}, conns: map[int32]*sending{},
		rows: make([]resident, params.Contexts), pdcs: make([]*sending, params.Contexts*port.Slots)}
	x := spec.Settings
	payload := bits.Len(uint(x.MTU-x.HeaderBytes)) - 1
	switch {
	case x.MTU-x.HeaderBytes != 1<<payload || payload < 7 || payload > 13:
		return fmt.Errorf("mtu = %d and header_bytes = %d leave %d bytes for payload, and a NIC sends full packets of a "+
			"power of two from 128 to 8192: set mtu to %d", x.MTU, x.HeaderBytes, x.MTU-x.HeaderBytes,
			1<<min(max(payload, 7), 13)+x.HeaderBytes)
	case x.HeaderBytes < underHeader || x.HeaderBytes > 127:
		return fmt.Errorf("header_bytes = %d: the registers of a NIC hold %d to 127", x.HeaderBytes, underHeader)
	case x.PDCsPerCCC > port.Slots:
		return fmt.Errorf("nic.pdcs = %d: a context of a NIC has %d", x.PDCsPerCCC, port.Slots)
	}
	tick := units.Picos(tickNs) * units.Nanosecond
	rto := uint64((spec.RTO + tick - 1) / tick)
	if rto>>24 != 0 {
		return fmt.Errorf("a timeout of %v: the register of a NIC holds %d ticks of %d ns: set rto.us", spec.RTO, 1<<24-1,
			tickNs)
	}
	mpr := uint64(port.Window)
	if x.MPR > 0 {
		mpr = uint64(min(x.MPR, 255))
	}
	write := func(target port.Target, kind, addr uint8, data uint64) {
		s.put(port.Cmd{Target: target, Kind: kind, Addr: addr, Data: data})
	}
	source := func(addr uint8, v uint64) { write(port.TargetSource, uint8(txpdc.KindCfgWrite), addr, v) }
	source(txpdc.RegPayload, uint64(payload))
	source(txpdc.RegHeader, uint64(x.HeaderBytes))
	source(txpdc.RegRto, rto)
	source(txpdc.RegTick, uint64(tick/transport.Period))
	dest := func(addr uint8, v uint64) { write(port.TargetDestination, uint8(ackgen.KindCfgWrite), addr, v) }
	dest(ackgen.RegMpr, mpr)
	dest(ackgen.RegTrigger, uint64(x.AckTrigger))
	dest(ackgen.RegMinAdd, uint64(x.AckMinAdd))
	dest(ackgen.RegNominal, uint64(x.HeaderBytes-underHeader))
	dest(ackgen.RegTick, uint64(128*units.Nanosecond/transport.Period))
	write(port.TargetTimes, uint8(txstate.KindCfgWrite), 0, uint64(bits.Len(uint(128/tickNs))-1))
	write(port.TargetWriter, writerConfigure, port.RegSpray, uint64(spec.Paths-1))
	if err := s.profiles(); err != nil {
		return err
	}
	s.setup = len(s.queue)
	return nil
}

// profiles writes the registers of ccc, a profile for each set of constants.
func (s *software) profiles() error {
	for _, cfg := range s.spec.Configs {
		regs, err := registers(fields.NSCC, cfg, s.tickNs)
		if err != nil {
			return err
		}
		if slices.Contains(s.sets, regs) {
			continue
		}
		if len(s.sets) == port.Profiles {
			return fmt.Errorf("the contexts of host %d have more than %d different sets of constants, one for each profile: "+
				"give fewer rates, or no separate base RTT for each flow", s.spec.Host, port.Profiles)
		}
		for addr, v := range regs {
			s.put(port.Cmd{Target: port.TargetWindow, Kind: uint8(ccc.KindCfgWrite), Profile: uint8(len(s.sets)),
				Addr: uint8(addr), Data: v})
		}
		s.sets = append(s.sets, regs)
	}
	return nil
}

// Kinds of commands of the writer.
const (
	writerLoad      = uint8(txpdc.KindLoad)
	writerRead      = uint8(txpdc.KindRead)
	writerConfigure = uint8(txpdc.KindCfgWrite)
)

func (s *software) put(c port.Cmd) { s.queue = append(s.queue, c) }

// offer returns the command at the port, or nil.
func (s *software) offer() *port.Cmd {
	if len(s.queue) == 0 || s.offered {
		return nil
	}
	return &s.queue[0]
}

// answered takes the answer to the command under way. None is refused.
func (s *software) answered(x *port.Response) error {
	if !s.offered {
		return errors.New("an answer without a command")
	}
	c := s.queue[0]
	s.queue, s.offered = s.queue[1:], false
	s.setup = max(s.setup-1, 0)
	if x.Target != c.Target || x.Kind != c.Kind || x.Index != c.Index || x.Refused || x.Busy || x.Missing {
		return fmt.Errorf("command %+v is answered by %+v", c, *x)
	}
	if s.read != nil {
		s.read(x.Data)
	}
	return nil
}

// open gives a connection a PDC, when its context has a place in the block.
func (s *software) open(p *transport.Peer) error {
	c := s.conns[p.Conn]
	if c == nil {
		c = &sending{peer: *p, pdc: -1}
		s.conns[p.Conn] = c
	}
	row, ok := s.of[p.Context]
	if !ok {
		if row = s.free(p.Dst); row < 0 {
			s.waits = append(s.waits, *p)
			return nil
		}
		s.of[p.Context] = row
		if err := s.begin(row, p); err != nil {
			return err
		}
	}
	r := &s.rows[row]
	r.conns++
	c.pdc, c.psn = row*port.Slots+int(p.Slot), p.First
	s.pdcs[c.pdc] = c
	if last := r.next[p.Slot]; last != 0 {
		c.psn = last + apart
	}
	s.put(port.Cmd{Target: port.TargetSource, Kind: uint8(txpdc.KindOpen), Index: uint16(c.pdc), Data: uint64(c.psn)})
	for _, bytes := range c.message {
		s.message(c, bytes)
	}
	c.message = nil
	return nil
}

// free returns a context of the block that has no connection, -1 for none. Its PDCs must be new to the destination,
// where that is possible: one that has an old PDC of the same number refuses the new one.
func (s *software) free(dst int32) int {
	free := -1
	for row := range s.rows {
		switch r := &s.rows[row]; {
		case r.conns > 0:
		case !slices.Contains(r.kept, dst):
			return row
		case free < 0:
			free = row
		}
	}
	return free
}

// begin opens a context of the block for a destination.
func (s *software) begin(row int, p *transport.Peer) error {
	regs, err := registers(fields.NSCC, p.Config, s.tickNs)
	if err != nil {
		return err
	}
	profile := slices.Index(s.sets, regs)
	if profile < 0 {
		return errors.New("a context has constants that the NIC was not made for")
	}
	r := &s.rows[row]
	if r.used {
		for slot := range port.Slots {
			for _, addr := range []int{txpdc.WordSum, txpdc.WordRcvd} {
				s.put(port.Cmd{Target: port.TargetSource, Kind: uint8(txpdc.KindLoad),
					Index: uint16(row*port.Slots + slot), Addr: uint8(addr)})
			}
		}
	}
	r.used = true
	s.put(port.Cmd{Target: port.TargetWindow, Kind: uint8(ccc.KindOpen), Index: uint16(row), Profile: uint8(profile)})
	head := transport.RequestTemplate(s.spec.Host, p.Dst)
	size := len(head)
	for len(head)%4 != 0 {
		head = append(head, 0)
	}
	load := func(addr int, v uint64) {
		s.put(port.Cmd{Target: port.TargetWriter, Kind: writerLoad, Index: uint16(row), Addr: uint8(addr), Data: v})
	}
	for i := 0; i < len(head); i += 4 {
		load(i/4, uint64(binary.LittleEndian.Uint32(head[i:])))
	}
	load(port.WordSize, uint64(size)<<port.WordSizeLSB|uint64(p.Entropy)<<port.WordEntropyLSB)
	return nil
}

// send sends a message.
func (s *software) send(conn int32, bytes int64) error {
	if bytes>>31 != 0 {
		return fmt.Errorf("a message of %d bytes: a NIC takes less than 2^31", bytes)
	}
	s.running++
	c := s.conns[conn]
	if c.pdc < 0 {
		c.message = append(c.message, bytes)
		return nil
	}
	s.message(c, bytes)
	return nil
}

func (s *software) message(c *sending, bytes int64) {
	full := int64(s.spec.Settings.MTU - s.spec.Settings.HeaderBytes)
	c.packets, c.taken = uint32((bytes+full-1)/full), false
	s.spec.Out.Begins(c.peer.Conn, c.psn)
	c.psn += c.packets
	s.put(port.Cmd{Target: port.TargetSource, Kind: uint8(txpdc.KindMessage), Index: uint16(c.pdc), Data: uint64(bytes)})
}

// close closes a connection.
func (s *software) close(conn int32) {
	c := s.conns[conn]
	c.closing = true
	s.running++
	s.put(port.Cmd{Target: port.TargetSource, Kind: uint8(txpdc.KindClose), Index: uint16(c.pdc)})
}

// note takes a note.
func (s *software) note(x *port.Note) error {
	if int(x.PDC) >= len(s.pdcs) || s.pdcs[x.PDC] == nil {
		return fmt.Errorf("a note %v of PDC %d, which is free", x.Kind, x.PDC)
	}
	c := s.pdcs[x.PDC]
	if x.Window {
		s.spec.Out.Noted(c.peer.Conn, s.event(x))
	}
	switch x.Kind {
	case port.ActSent, port.ActClosing:
		s.noted = append(s.noted, leaving{*x, c})
	case port.ActMessage:
		c.taken = true
	case port.ActLost:
		s.spec.Out.Lost(c.peer.Conn)
	case port.ActAcked:
		if c.stopped { // what was outstanding is given up
			s.running--
			s.close(c.peer.Conn)
		} else if x.Done && c.taken {
			c.taken = false
			s.running--
			s.spec.Out.Acked(c.peer.Conn)
		}
	case port.ActFreed:
		if !c.closing {
			return fmt.Errorf("PDC %d is free, and was not closed", x.PDC)
		}
		s.running--
		return s.release(c)
	case port.ActStopped:
		s.stop(c, x.Code)
	}
	return nil
}

// stop ends a connection whose PDC is stopped, and is closed as soon as nothing is outstanding in it. What its message
// leaves in the backlog of the context decides nothing without credit, and ends with the context.
func (s *software) stop(c *sending, code uint8) {
	r := &s.rows[c.pdc/port.Slots]
	r.kept = append(r.kept, c.peer.Dst)
	c.stopped = true
	s.stopped++
	s.spec.Out.Stopped(c.peer.Conn, code)
	if c.closing {
		s.running--
		s.close(c.peer.Conn)
	}
}

// kinds are the events of contexts in notes.
var kinds = [...]cc.Kind{port.ActOpened: cc.KindOpen, port.ActMessage: cc.KindNewData, port.ActSent: cc.KindSend,
	port.ActAcked: cc.KindAck, port.ActNacked: cc.KindNack, port.ActLost: cc.KindLoss}

// event returns the event of a note with one, valid until the next call.
func (s *software) event(x *port.Note) *cc.Event {
	s.ev = cc.Event{Kind: kinds[x.Kind], PSN: x.PSN, Size: int64(x.Size), IsRtx: x.IsRtx, Entropy: x.Entropy, M: x.M,
		Retx: x.Retx, Reason: x.Code, AckedPkts: int32(x.AckedPkts), UnmarkPkts: int32(x.UnmarkPkts),
		Out: cc.Out{Cwnd: int64(x.Cwnd), Inflight: int64(x.Inflight), CanSend: x.CanSend, AckReq: x.Ar}}
	if s.ev.TxValid = x.RTTValid; x.RTTValid {
		s.ev.TxTime = -units.Picos(x.RTT) * units.Picos(s.tickNs) * units.Nanosecond
	}
	switch x.Kind {
	case port.ActAcked, port.ActNacked, port.ActLost:
		s.ev.Out.Action = ccc.Action(x.Action).String()
	}
	return &s.ev
}

// release takes the PDC of a connection back, and gives its context to one that waits when it was the last.
func (s *software) release(c *sending) error {
	row := c.pdc / port.Slots
	r := &s.rows[row]
	r.next[c.pdc%port.Slots] = c.psn + 1 // that of its CLOSE, too
	s.pdcs[c.pdc] = nil
	delete(s.conns, c.peer.Conn)
	if r.conns--; r.conns > 0 {
		return nil
	}
	delete(s.of, c.peer.Context)
	waits := s.waits
	s.waits = nil
	for i := range waits {
		if err := s.open(&waits[i]); err != nil {
			return err
		}
	}
	return nil
}

// departs holds a frame that leaves against the oldest note of a packet, or the oldest indication with an answer, and
// returns its connection.
func (s *software) departs(x *port.Tx, f transport.Frame) (conn int32, err error) {
	if x.Answer {
		if len(s.owed) == 0 || s.owed[0].number != x.Tag {
			return 0, fmt.Errorf("an answer to frame %d, which is not the oldest that is owed one", x.Tag)
		}
		conn, s.owed = s.owed[0].conn, s.owed[1:]
		return conn, nil
	}
	if len(s.noted) == 0 {
		return 0, fmt.Errorf("a packet of PDC %d that was not noted", x.Tag)
	}
	n, c := s.noted[0].note, s.noted[0].conn
	s.noted = s.noted[1:]
	if uint32(n.PDC) != x.Tag || len(f.Head) < transport.RequestEnd {
		return 0, fmt.Errorf("a packet of PDC %d; the one noted is of PDC %d", x.Tag, n.PDC)
	}
	psn := transport.RequestPSN(f)
	size := max(transport.RequestEnd, port.MinFrame)
	if n.Kind == port.ActSent {
		size = max(transport.RequestEnd+int(n.Size)-s.spec.Settings.HeaderBytes, port.MinFrame)
	}
	if psn != n.PSN || f.Length != size {
		return 0, fmt.Errorf("a packet of PDC %d with PSN %d, %d bytes; the one noted has PSN %d, %d bytes", x.Tag, psn,
			f.Length, n.PSN, size)
	}
	return c.peer.Conn, nil
}

// busy reports whether the NIC has something to do, or its timers have.
func (s *software) busy() bool { return len(s.queue) > 0 || s.running > 0 }

// done returns an error unless everything that was begun has come to its end.
func (s *software) done() error {
	switch {
	case s.busy():
		return fmt.Errorf("%d commands, and %d messages or PDCs that close, have no end", len(s.queue), s.running)
	case len(s.noted) > 0:
		return fmt.Errorf("%d packets were noted and did not leave", len(s.noted))
	case len(s.owed) > 0:
		return fmt.Errorf("%d answers were indicated and did not leave", len(s.owed))
	}
	return nil
}
