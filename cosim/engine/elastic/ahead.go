package elastic

import "github.com/goldwire/goldwire/vectors/drive"

// most is how many cycles are decided ahead; least is how many right after an event was accepted, when the
// next is likely to be soon. Where the state is read after each event, most events are reads, and a design that is not
// pipelined takes several cycles for each: leastRead saves round trips.
const most, least, leastRead = 512, 2, 32

// ahead holds the input records of the cycles to come, decided as if no event were accepted in them: one
// round trip to the device for all of them. When an event is accepted the rest is dropped, so that idles
// and stalls go on as if those cycles had passed.
type ahead struct {
	words []uint64 // records to be run next
	width int      // words of a record
	n     int      // records
	reach int      // how many to draw
	least int      // how many after an event was accepted
	held  bool     // the record after the n is drawn but must not be run with them
}

func newAhead(width int) ahead {
	return ahead{words: make([]uint64, (most+1)*width), width: width, reach: least, least: least}
}

func (a *ahead) record(i int) []uint64 { return a.words[i*a.width : (i+1)*a.width : (i+1)*a.width] }

// draw fills the records up to one that offers other streams than the first, or resets. It leaves none when
// every event has been accepted and every reset done.
func (a *ahead) draw(d *drive.Driver, ins []port, rstN uint64) {
	first := 0
	if a.held {
		copy(a.record(0), a.record(a.n))
		a.held, first = false, 1
	}
	a.n = first
	control := rstN | valids(ins)
	for a.n < a.reach {
		if a.n > 0 && a.record(0)[0]&rstN == 0 {
			return // resets go one by one
		}
		if d.Drained() || !d.Drive(a.record(a.n)) {
			return
		}
		if a.n > 0 && (a.record(a.n)[0]^a.record(0)[0])&control != 0 {
			a.held = true
			return
		}
		a.n++
	}
}

// ran notes that the records were run, and whether the last one ended in an accepted event.
func (a *ahead) ran(accepted bool) {
	a.reach = min(2*a.reach, most)
	if accepted {
		a.reach = a.least
		// The records were decided for an event that is gone, but a reset among them has to happen.
		a.held = a.held && a.record(a.n)[0]&1 == 0
	}
}
