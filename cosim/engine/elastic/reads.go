package elastic

import (
	"errors"

	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/vectors/stim"
)

// reads is an episode with events between its own that read the state: after each event one for each state word, with
// the fields of the event, so that it reads what that changed, and for the register that the event may have written;
// after each reset one for each register, whose value need not be the contract's then. Registers without a rule are
// read, too: a wrong one may hide within the tolerances of what follows from it. Where a decision may flip, the state
// is read before each event as well: of both sides, because a read may change the state (ccc raises windows to the MTU
// of the moment).
//
// Every event has the same number of them: the resets of an episode stand at numbers of items.
type reads struct {
	ep     *stim.Episode
	access *tolerance.Access
	before []read // each event
	after  []read // each event
	start  []read // each reset
	resets []stim.Reset
	begun  int // resets whose reads were given
	given  int // events of the episode given

	due   []read    // to be given
	next  stim.Item // the event to be given after them, where held
	held  bool
	base  []uint64
	marks []mark // by item given and not accepted
	store [4 * stim.Lookahead][]uint64
	at    int // in store
}

// mark is what an event is for.
type mark uint8

const (
	ofEpisode mark = iota // one of the episode's own
	readAfter             // reads the state after an event, or the registers after a reset
	readAhead             // reads the state before the next event
)

// read is an event to be inserted; own marks the address and profile of the event that it belongs to.
type read struct {
	kind, addr, bank uint64
	own              bool
	mark             mark
}

// mostBanks is the largest number of profiles of which registers are read after a reset. One that the block does not
// have is refused, which is compared, too.
const mostBanks = 16

// errLanes refuses what reads cannot be inserted into.
var errLanes = errors.New("resync: the episode drives several streams, so that no event can be inserted into it")

// withReads returns the episode with the reads between its events; ahead is set where they come before each, too.
func withReads(ep *stim.Episode, a *tolerance.Access, ahead bool) (*reads, *stim.Episode, error) {
	if ep.Drive.ByLane || len(ep.Drive.Relief) > 0 || ep.Items == nil {
		return nil, nil, errLanes
	}
	r := &reads{ep: ep, access: a, resets: ep.Drive.Resets}
	for _, addr := range a.Words {
		r.after = append(r.after, read{kind: a.Read, addr: addr, mark: readAfter})
		if ahead {
			r.before = append(r.before, read{kind: a.Read, addr: addr, mark: readAhead})
		}
	}
	if len(a.Registers) > 0 {
		r.after = append(r.after, read{kind: a.ReadConf, own: true, mark: readAfter})
	}
	banks := 1
	if a.Bank != nil {
		banks = min(1<<min(a.Bank.Field.Width, 8), mostBanks)
	}
	for _, addr := range a.Registers {
		for bank := range banks {
			r.start = append(r.start, read{kind: a.ReadConf, addr: addr, bank: uint64(bank), mark: readAfter})
		}
	}
	with := *ep
	with.Tap, with.Items, with.Len = nil, r.item, 0
	with.Drive.Resets, with.Drive.Gaps = r.moved()
	return r, &with, nil
}

// moved returns the resets and gaps of the episode at the places where its items are now.
func (r *reads) moved() (resets []stim.Reset, gaps []uint16) {
	each := len(r.before) + 1 + len(r.after)
	for k, x := range r.resets {
		x.After = x.After*each + k*len(r.start)
		resets = append(resets, x)
	}
	if n := len(r.ep.Drive.Gaps); n > 0 {
		gaps = make([]uint16, n*each+len(r.resets)*len(r.start))
		for i, g := range r.ep.Drive.Gaps {
			at := i*each + len(r.before)
			for _, x := range r.resets {
				if x.After <= i {
					at += len(r.start)
				}
			}
			gaps[at] = g
		}
	}
	return resets, gaps
}

func (r *reads) item(it *stim.Item) bool {
	for {
		switch {
		case len(r.due) > 0:
			d := r.due[0]
			r.due = r.due[1:]
			*it = stim.Item{Words: r.event(&d)}
			r.marks = append(r.marks, d.mark)
			return true
		case r.held:
			r.held, r.due = false, r.after
			*it = r.next
			r.marks = append(r.marks, ofEpisode)
			return true
		case r.begun < len(r.resets) && r.resets[r.begun].After <= r.given:
			r.begun++
			r.due, r.base = r.start, make([]uint64, len(it.Words))
		default:
			r.next.Words = r.buffer(len(it.Words))
			if !r.ep.NextItem(&r.next) {
				return false
			}
			r.given++
			r.held, r.due, r.base = true, r.before, r.next.Words
		}
	}
}

func (r *reads) event(d *read) []uint64 {
	words := r.buffer(len(r.base))
	copy(words, r.base)
	r.access.Kind.Set(words, d.kind)
	if !d.own {
		r.access.Addr.Set(words, d.addr)
	}
	if !d.own && d.kind == r.access.ReadConf && r.access.Bank != nil {
		r.access.Bank.Set(words, d.bank)
	}
	return words
}

// buffer returns words that stay for as long as a driver may need them.
func (r *reads) buffer(n int) []uint64 {
	w := &r.store[r.at]
	if r.at = (r.at + 1) % len(r.store); *w == nil {
		*w = make([]uint64, n)
	}
	return *w
}

// accepted takes note that the oldest item given was accepted, and returns what it is for.
func (r *reads) accepted() mark {
	m := r.marks[0]
	r.marks = r.marks[1:]
	return m
}
