package switchport

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// What a packet is booked with: whether it can be trimmed and to what length, by its headers and by the writer's
// copies of three registers. Nothing at the ports shows the cycle in which the writer looks at the copies, only bounds
// of it.

// trimRegs are TRIM_SIZE, MIN_SIZE and UDP_PORT, by address.
type trimRegs [3]uint32

// sizes decides on packets.
type sizes struct {
	head    [trimmer.MaxTrim]byte // of the packet that comes in
	history []trimRegs            // after each write of one of the three since the reset; at first the reset values
	inForce int                   // place in history of the last write that was answered
	rowBeat bool                  // a beat was accepted in the cycle before
	rowEnds bool                  // and it was the last of its packet
	// Class of a packet without a gap whose last beat was accepted one and two cycles ago, -1: none.
	rowReady [2]int
}

func (z *sizes) clear() {
	var reset trimRegs
	for a := range reset {
		reset[a] = uint32(trimmer.RegInfo[a].Reset)
	}
	z.history, z.inForce = append(z.history[:0], reset), 0
	z.rowBeat, z.rowEnds, z.rowReady = false, false, [2]int{-1, -1}
}

// packetSize is what is known of a packet's length after trimming.
type packetSize struct {
	q      frame.Packet
	seen   int // bytes that were parsed
	port   int // UDP destination port; read where q has no cause
	lo, hi int // the copies are those of one of these places in history
	fixed  bool
	mid    int // place in history of the last write that was in force before the packet's last beat
	row    bool
	length int // bytes that trimming leaves
	cause  int // why it cannot be trimmed
	exact  bool
	sum    int // over the datagram once it is trimmed to sumAt bytes, by the registers at its end
	sumAt  int
	noted  int // places in history when the note was taken
}

// beat takes beat number i of the packet that comes in.
func (z *sizes) beat(x *packetSize, i int, rx *switchport.Rx) {
	const deciding = trimmer.MaxTrim/64 - 1
	if i <= deciding {
		for k, v := range rx.Data {
			binary.LittleEndian.PutUint64(z.head[64*i+8*k:], v)
		}
		x.lo = z.inForce
	}
	// Beat 3 has issued by now: rx holds one beat at most when it takes another.
	if i == deciding+2 {
		x.hi, x.fixed = len(z.history)-1, true
	}
	x.row = z.rowBeat && (i > 0 && x.row || i == 0 && z.rowEnds)
}

func (z *sizes) end(x *packetSize, n int) {
	x.seen = min(n, len(z.head))
	x.q = frame.Parse(z.head[:min(n, len(z.head))], n, frame.AnyPort)
	if x.q.Cause == 0 {
		x.port = frame.BE16(z.head[:], x.q.UDP+2)
	}
	x.mid, x.sumAt = z.inForce, 0
	if length, cause := x.decide(z.history[len(z.history)-1]); cause == 0 && x.q.Sum != 0 {
		x.sumAt, x.sum = length, frame.UDPSum(z.head[:], &x.q, length)
	}
}

// decide returns what trimming leaves of a packet, by some registers: its length and why it cannot be trimmed.
func (x *packetSize) decide(r trimRegs) (length, cause int) {
	if x.q.Cause == 0 && x.port != int(r[trimmer.RegUdpPort]) {
		return 0, frame.CausePort
	}
	return x.q.Cut(int(max(r[trimmer.RegTrimSize], r[trimmer.RegMinSize])))
}

// settle decides on a packet when its note is taken. It is not exact where a write can have come before or after.
func (z *sizes) settle(x *packetSize) {
	if !x.fixed {
		x.hi = len(z.history) - 1
	}
	x.length, x.cause = x.decide(z.history[x.hi])
	x.exact, x.noted = true, len(z.history)-1
	for _, r := range z.history[x.lo:x.hi] {
		length, cause := x.decide(r)
		x.exact = x.exact && length == x.length && cause == x.cause
	}
}

// can reports whether a packet can have been booked with so many bytes, 0 for one that cannot be trimmed.
func (z *sizes) can(x *packetSize, n int) bool {
	for _, r := range z.history[x.lo : x.hi+1] {
		if length, cause := x.decide(r); cause == 0 && length == n || cause != 0 && n == 0 {
			return true
		}
	}
	return false
}

// writesTrim reports whether a cfg event writes one of the three registers.
func (w *watch) writesTrim(x *switchport.Cfg) bool {
	return x.Target == switchport.TargetTrimmer && trimmer.Kind(x.Kind) == trimmer.KindCfgWrite &&
		int(x.Addr) < len(trimRegs{}) && !w.refuses(x)
}

func (z *sizes) wrote(x *switchport.Cfg) {
	r := z.history[len(z.history)-1]
	r[x.Addr] = x.Data & (1<<trimmer.RegInfo[x.Addr].Width - 1)
	z.history = append(z.history, r)
}

// bookedBins are the bins of what a packet is booked with.
type bookedBins struct {
	trimmedTo, trimFrom, cannot, row cover.Cross
	writtenQueued, writtenMid        cover.Cross
}

var rowNames = cover.Labels("1 2 3 4 5 144")

func (b *bookedBins) define(p *cover.Plan) {
	registers := cover.Labels("TRIM_SIZE MIN_SIZE UDP_PORT")
	b.trimFrom = p.Add("left_trimmed_to", cover.Labels("TRIM_SIZE MIN_SIZE headers"))
	b.trimmedTo = p.Add("left_trimmed_special", cover.Labels(`headers_of_ipv6_78_bytes headers_with_two_tags
		headers_with_ipv4_options 256_bytes one_below_end_of_ip_packet`))
	b.cannot = p.Add("trim_due_but", frame.Causes[1:])
	b.writtenQueued = p.Add("left_trimmed_although_written_while_queued", registers)
	b.writtenMid = p.Add("left_trimmed_although_written_before_last_beat", registers)
	b.row = p.Add("packet_without_gap_behind_another_beats", rowNames)
}

// otherBy marks the registers that would have changed a packet's length, or whether it can be trimmed, if they had
// been read as they were at another place in history.
func (z *sizes) otherBy(hits cover.Hits, bins cover.Cross, x *packetSize, at int) {
	for a := range len(trimRegs{}) {
		r := z.history[x.hi]
		r[a] = z.history[at][a]
		if length, cause := x.decide(r); length != x.length || cause != x.cause {
			hits[bins.At1(a)]++
		}
	}
}

// sortBooked puts a packet into bins that has left trimmed; held is the place in history of what was in force when its
// grant was accepted.
func (w *watch) sortBooked(hits cover.Hits, x *packetSize, held int) {
	if !x.exact || x.cause != 0 {
		return
	}
	r := w.sizes.history[x.hi]
	t := uint32(x.length)
	headers := t > max(r[trimmer.RegTrimSize], r[trimmer.RegMinSize])
	hits[w.trimFrom.At1([...]int{2, 0, 1}[cover.First(headers, t == r[trimmer.RegTrimSize])])]++
	hits.Each(w.trimmedTo.At1(0), headers && x.q.Family == frame.IPv6 && t == 78, headers && x.q.Tags == 2,
		headers && x.q.Options > 0, t == trimmer.MaxTrim, x.length == x.q.End-1) // as left_trimmed_special
	if held > x.noted {
		w.sizes.otherBy(hits, w.writtenQueued, x, held)
	}
	if x.fixed && x.mid > x.hi {
		w.sizes.otherBy(hits, w.writtenMid, x, x.mid)
	}
}

// follow sorts packets whose beats were accepted in consecutive cycles, right after the last beat of another, when the
// next two cycles show that rx never held a beat back.
func (w *watch) follow(hits cover.Hits, ready bool) {
	z := &w.sizes
	if k := z.rowReady[1]; k >= 0 && ready {
		hits[w.row.At1(k)]++
	}
	moved := w.Moved(rxStream)
	z.rowReady[0], z.rowReady[1] = -1, z.rowReady[0]
	if !moved {
		z.rowReady[1] = -1
	}
	z.rowBeat, z.rowEnds = moved, moved && w.rx.Last
	if !z.rowEnds {
		return
	}
	p := &w.arrived[len(w.arrived)-1]
	if k := cover.Among(p.beats, 1, 2, 3, 4, 5, switchport.SlotBeats); p.size.row && k < 6 {
		z.rowReady[0] = k
	}
}
