package txstate

import (
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
)

// random writes an episode of constrained random txstate events: senders that run through their sequence numbers,
// acknowledgements near and far, resends, generations that collide in the table, and loads into corners.
type random struct {
	*stim.Script
	pdcs, depth int

	rows    []entry // by pdc*depth + psn mod depth
	none    entry
	shift   uint64
	send    []uint32 // next PSN by pdc of the episode
	pdc     []uint16
	used    int
	now     uint64
	stepW   int
	noise   bool
	weight  [8]int
	hot     int
	again   int // of 256: the packet just met once more
	lastPDC uint16
	lastPSN uint32
	stray   int // one event in stray goes to a far PSN
	sweep   int
}

const mask48 = 1<<48 - 1

// entry is what the generator remembers of a table row, to aim its samples.
type entry struct {
	psn   uint32
	valid bool
	rtx   uint8
	tx    uint64
}

// newRandom returns what writes the episodes of a run one after the other.
func newRandom() func(sc *stim.Script) {
	s := &random{}
	return func(sc *stim.Script) {
		s.Script, s.pdcs, s.depth = sc, sc.Params["NumPdcs"], sc.Params["Depth"]
		if s.rows == nil {
			// Larger tables share rows here; only the aim of some events suffers.
			s.rows = make([]entry, min(s.pdcs*s.depth, 1<<16))
			s.send = make([]uint32, s.pdcs)
			s.pdc = make([]uint16, s.pdcs)
		}
		s.write()
	}
}

func (s *random) write() {
	r := &s.Rand
	s.forget()
	s.used = min(stim.Pick(r, 1, 1, 2, 3, 4, 8, 16, 64), s.pdcs)
	for i := range s.pdc {
		s.pdc[i] = uint16(i)
	}
	for i := range s.used {
		j := i + r.N(s.pdcs-i)
		s.pdc[i], s.pdc[j] = s.pdc[j], s.pdc[i]
		s.send[i] = uint32(stim.Pick(r, 0, r.Bits(32), 1<<32-r.LogN(8)))
	}
	s.now = stim.Pick(r, 0, r.LogN(40), r.Bits(48), mask48-r.LogN(16), mask48-r.LogN(24))
	s.stepW = r.N(14)
	s.noise = !r.One(4)
	d := &s.Drive
	d.Resets = stim.DrawDrive(r, d, s.pdcs*s.depth, txstate.Credits)
	length := d.Paced(1000+r.N(4000), 700)
	total := 0
	for k, w := range [8]int{30, 25, 8, 6, 6, 1, 1, 1} {
		w = w * 8 >> r.N(4)
		if r.One(10) {
			w = 0
		}
		s.weight[k] = w
		total += w
	}
	if total == 0 {
		s.weight[0] = 1
	}
	s.hot = stim.Pick(r, 0, 0, 40, 200)
	s.again = stim.Pick(r, 0, 10, 80, 200)
	s.lastPDC, s.lastPSN = s.pdc[0], s.send[0]
	s.stray = stim.Pick(r, 5, 20, 100)
	s.sweep = 0
	body := max(length-200, length*3/4)
	stim.AimResets(r, d.Resets, length)
	restart := s.Restart()
	for s.Used < length && !s.Full() {
		if s.Used == restart {
			s.forget()
		}
		s.event(s.Used < body)
	}
}

// forget does what a reset does.
func (s *random) forget() {
	clear(s.rows)
	s.shift = 7
}

// event writes a drawn event, or one that reads back.
func (s *random) event(drawn bool) {
	var ev txstate.Event
	if s.noise {
		a, b := s.Rand.U64(), s.Rand.U64()
		ev.Now = a & mask48
		ev.IsRtx, ev.Retx, ev.LoadValid = a>>48&1 != 0, a>>49&1 != 0, a>>50&1 != 0
		ev.LoadRtxCount, ev.TimeShift = uint8(a>>51)&3, uint8(a>>53)&7
		ev.ServiceTime = uint16(b)
		ev.PSN = uint32(b >> 16)
	}
	if drawn {
		s.draw(&ev)
	} else {
		s.readBack(&ev)
	}
	s.remember(&ev)
	txstate.PackEvent(&ev, s.Put(0, 0))
}

// readBack reads the rows around the senders' positions.
func (s *random) readBack(ev *txstate.Event) {
	i := s.sweep % s.used
	ev.Kind, ev.PDC, ev.PSN = txstate.KindRead, s.pdc[i], s.send[i]-uint32(s.sweep/s.used)
	s.sweep++
}

func (s *random) draw(ev *txstate.Event) {
	r := &s.Rand
	s.now = (s.now + r.Bits(s.stepW)) & mask48
	if r.One(200) {
		s.now = (s.now + r.LogN(34)) & mask48
	}
	i := r.N(s.used)
	if r.N(256) < s.hot {
		i = 0
	}
	ev.PDC = s.pdc[i]
	ev.Now = s.now
	k := r.Weighted(s.weight[:]...)
	ev.Kind = txstate.Kind(k)
	// The packet just met, one of the window just sent, or somewhere else in the same rows.
	again := r.N(256) < s.again
	switch {
	case again:
		ev.PDC, ev.PSN = s.lastPDC, s.lastPSN
	case r.One(3):
		ev.PSN = s.send[i] - uint32(1+r.N(4))
	default:
		ev.PSN = s.send[i] - uint32(1+r.N(s.depth))
	}
	if r.One(s.stray) {
		ev.PSN += uint32(s.depth) * uint32(stim.Pick(r, 1, 2, r.Bits(32)))
	}
	row := s.row(ev)
	switch ev.Kind {
	case txstate.KindSend:
		ev.IsRtx = r.One(5)
		if !again && !ev.IsRtx && !r.One(16) {
			ev.PSN = s.send[i]
			s.send[i]++
		}
	case txstate.KindAck, txstate.KindNack:
		if row.valid && !r.One(4) {
			ev.PSN = row.psn
		}
		ev.Retx = r.One(4)
		if row.valid && !r.One(4) {
			ev.Retx = row.rtx == 1
		}
		ev.ServiceTime = uint16(stim.Pick(r, 1, 2, 1+r.LogN(6), r.LogN(16), r.Corner(16), 0, 0xffff, 0xfffe))
		if row.valid && r.One(2) {
			service := uint64(0)
			if ev.Kind == txstate.KindAck {
				service = uint64(ev.ServiceTime) << s.shift
			}
			raw := stim.Pick(r, 0, 1, 2, 1<<31-1, 1<<31, 1<<32, 1<<47, mask48, r.LogN(20), r.LogN(31), r.LogN(31))
			ev.Now = (row.tx + service + raw) & mask48
		}
	case txstate.KindLoad:
		ev.LoadValid, ev.LoadRtxCount = !r.One(4), uint8(r.N(4))
		ev.Now = stim.Pick(r, s.now, s.now-r.LogN(32), r.Corner(48)) & mask48
	case txstate.KindRead:
	case txstate.KindCfgWrite:
		ev.TimeShift = uint8(stim.Pick(r, 7, 0, uint64(r.N(8))))
	}
	s.lastPDC, s.lastPSN = ev.PDC, ev.PSN
	if r.One(50) {
		ev.PDC = stim.Pick(r, uint16(s.pdcs), uint16(s.pdcs-1), 0xffff, uint16(r.Bits(16)))
	}
}

// row returns what is remembered of the event's row, an empty one when its PDC has no table.
func (s *random) row(ev *txstate.Event) *entry {
	if int(ev.PDC) >= s.pdcs {
		s.none = entry{}
		return &s.none
	}
	return &s.rows[(int(ev.PDC)*s.depth+int(ev.PSN)&(s.depth-1))%len(s.rows)]
}

// remember notes what the event leaves in its row; it only serves aiming.
func (s *random) remember(ev *txstate.Event) {
	if int(ev.PDC) >= s.pdcs {
		return
	}
	row := s.row(ev)
	hit := row.valid && row.psn == ev.PSN
	switch ev.Kind {
	case txstate.KindSend:
		rtx := uint8(0)
		if hit {
			rtx = min(row.rtx+1, 2)
		} else if ev.IsRtx {
			rtx = 2
		}
		*row = entry{psn: ev.PSN, valid: true, rtx: rtx, tx: ev.Now}
	case txstate.KindAck:
		if hit {
			row.valid = false
		}
	case txstate.KindLoad:
		*row = entry{psn: ev.PSN, valid: ev.LoadValid, rtx: min(ev.LoadRtxCount, 2), tx: ev.Now}
	case txstate.KindCfgWrite:
		s.shift = uint64(ev.TimeShift)
	}
}
