package edge

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
)

// The intake of both blocks has these sizes.
const (
	fifoDepth = 2
	mostUsed  = 16 // credits
	decide    = 7  // cycles
)

// never is a cycle long before any other.
const never = -1 << 40

// Beat is one beat of the input stream.
type Beat struct {
	Data [8]uint64
	Keep uint64
	Last bool
	Tag  uint32
}

// Intake works out when beats issue and when packets end, and counts both.
type Intake struct {
	Tag     uint32 // of the packet whose beats issue
	Credits int    // in use

	level, beats, last, write cover.Cross
	at                        struct {
		CreditsOut, FullRate, ResetInPacket, EmptyTail, DropsBetween int
	}
	long cover.Long

	now     int64
	fifo    [fifoDepth]Beat
	queued  int
	data    []byte
	n       int             // beats of the packet that issues
	tail    int             // bytes of its last beat
	pending [decide + 1]int // counters of packets that ended, by the cycle that counts them
	dropped int             // packets that ended, are dropped and still have a credit
	run     int             // beats accepted in a row

	changed int   // register that was written last, to another value
	written int64 // and the cycle of it
	end     int64 // cycle in which a packet ended last
}

// Define adds the bins. The registers are those whose writes matter at the end of a packet.
func (t *Intake) Define(p *cover.Plan, registers []event.Register) {
	var names []string
	for _, r := range registers {
		names = append(names, r.Name)
	}
	t.level = p.Add("credits_in_use", cover.Numbers(0, mostUsed))
	t.beats = p.Add("beats_of_packet", cover.Labels("1 2 3 4 5 6_to_15 16_or_more"), cover.Labels("dropped passed"))
	t.last = p.Add("bytes_of_last_beat", cover.Numbers(0, 64), cover.Labels("dropped passed"))
	t.write = p.Add("register_write_about_end", names, cover.Labels("cycle_before same_cycle cycle_after"))
	p.Places("beats", cover.Labels(`credits_out 64_beats_in_a_row reset_in_packet last_beat_without_bytes
		credits_out_with_dropped_packets_under_way`), &t.at)
	t.long.Define(p, "packets_of_episode")
	t.Clear()
}

// Clear is what rst_n low does.
func (t *Intake) Clear() {
	t.long.Clear()
	t.queued, t.Credits, t.n, t.dropped, t.run, t.data = 0, 0, 0, 0, 0, t.data[:0]
	t.pending = [decide + 1]int{}
	t.written, t.end = never, never
}

// Reset counts a reset.
func (t *Intake) Reset(hits cover.Hits) { hits.If(t.n > 0, t.at.ResetInPacket) }

// Now is the cycle.
func (t *Intake) Now() int64 { return t.now }

// Step begins a cycle: it returns the whole frame when a packet ends, else nil, and the counter of a packet that is
// counted in this cycle, else 0.
func (t *Intake) Step(hits cover.Hits) (data []byte, counted int) {
	t.now++
	hits[t.level.At1(t.Credits)]++
	if t.queued > 0 {
		if t.Credits < mostUsed {
			data = t.issue()
		} else {
			hits[t.at.CreditsOut]++
			hits.If(t.dropped > 0, t.at.DropsBetween)
		}
	}
	due := &t.pending[t.now%int64(len(t.pending))]
	counted, *due = *due, 0
	return data, counted
}

// issue takes the oldest beat out of the FIFO.
func (t *Intake) issue() (data []byte) {
	b := &t.fifo[0]
	if t.n == 0 {
		t.Tag, t.data = b.Tag, t.data[:0]
	}
	t.n++
	n := 64
	if b.Last {
		n = frame.LastBytes(b.Keep)
	}
	at := len(t.data)
	for _, x := range b.Data {
		t.data = binary.LittleEndian.AppendUint64(t.data, x)
	}
	t.data = t.data[:at+n]
	if b.Last {
		t.tail = n
		data = t.data
	}
	t.fifo[0] = t.fifo[1]
	t.queued--
	return data
}

// Ended counts the packet that ended in this cycle, which is passed on or dropped; word is the counter that counts it
// besides the first.
func (t *Intake) Ended(hits cover.Hits, passed bool, word int) {
	through := cover.Bit(passed)
	hits[t.beats.At2(cover.Band(t.n, 2, 3, 4, 5, 6, 16), through)]++
	hits[t.last.At2(t.tail, through)]++
	hits.If(t.tail == 0, t.at.EmptyTail)
	t.long.Count(hits)
	t.pending[(t.now+decide)%int64(len(t.pending))] = word
	if !passed {
		t.dropped++
	}
	t.Credits++
	t.n = 0
	hits.If(t.written == t.now-1, t.write.At2(t.changed, 0))
	t.end = t.now
}

// Dropped returns the credit of a packet that is counted as dropped.
func (t *Intake) Dropped() {
	t.Credits--
	t.dropped--
}

// Accept takes a beat into the FIFO.
func (t *Intake) Accept(hits cover.Hits, b *Beat) {
	t.fifo[t.queued] = *b
	t.queued++
	t.run++
	hits.If(t.run == 64, t.at.FullRate)
}

// Idle ends a row of beats.
func (t *Intake) Idle() { t.run = 0 }

// Wrote counts a write in this cycle that gives a register another value; it acts from the next cycle on.
func (t *Intake) Wrote(hits cover.Hits, reg int) {
	t.changed, t.written = reg, t.now
	if d := t.now - t.end; d <= 1 {
		hits[t.write.At2(reg, 1+int(d))]++
	}
}
