package diff

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/verify"
)

// Answers returns what a vector file of ccc holds as a baseline of outputs and decisions alone, and how to play its
// events: for Compare with Options.Answers. It returns an error for a record that is not an event with its response.
func Answers(f *tool.File) (*baseline.File, *Played, error) {
	var h *format.Header
	played, p, n := NewEventHash(), newProbe(), uint64(0)
	err := records(f, func(head *format.Header, ev *ccc.Event, reset bool, out []uint64) (bool, error) {
		h = head
		if reset {
			played.Reset()
		}
		played.Event(ev)
		for i := range p.fields {
			p.fields[i].digest.add(n, p.fields[i].slot.Get(out))
		}
		n++
		return true, nil
	})
	if err != nil {
		return nil, nil, err
	}
	if n == 0 {
		return nil, nil, fmt.Errorf("%w: %s has no records", ErrNothing, f.Name)
	}
	now := Now()
	file := &baseline.File{Version: baseline.Version, Block: now.Block, Hashes: now.Hashes,
		Stimulus: []baseline.Stimulus{{Source: h.Source, Seed: h.Seed, Events: n, TickNs: 1, Params: h.Params,
			Hash: played.Sum()}},
		Lines: p.lines(h.Source)}
	file.Sort()
	return file, &Played{Name: h.Source, Options: stim.Options{Seed: h.Seed, Events: int(n), TickNs: 1, Params: h.Params},
		Open: func() (stim.Source, error) { return newRecords(f) }}, nil
}

// suits returns an error when a file does not hold events of ccc with their responses.
func suits(h *format.Header) error {
	switch {
	case h.Block != Now().Block:
		return fmt.Errorf("it is of block %s; give one of %s", h.Block, Now().Block)
	case h.Per != format.PerTransaction || h.Pairing != format.PairAnswers:
		return errors.New("its records are not events with their responses; " +
			"generate it with goldwire vectors gen --per transaction")
	case len(h.Constants) > 0:
		return fmt.Errorf("the design that answered gave no %v, and the file holds constants; they would pass for answers",
			h.Constants)
	}
	return nil
}

// records calls see for every event of a vector file until it returns false; reset is set where the block is reset
// before the event.
func records(f *tool.File, see func(h *format.Header, ev *ccc.Event, reset bool, out []uint64) (bool, error)) error {
	r, done, err := f.Open()
	if err != nil {
		return err
	}
	defer done()
	if err := suits(r.Header()); err != nil {
		return f.Wrap(err)
	}
	if err := verify.Suits(r, ccc.Schema()); err != nil {
		return f.Wrap(err)
	}
	for rec, err := range r.All() {
		if err != nil {
			return f.Wrap(err)
		}
		if rec.In[0]&ccc.InEvValid == 0 || rec.Out[0]&ccc.OutRspValid == 0 {
			return f.Wrap(fmt.Errorf("record %d has no event or no response", rec.Number))
		}
		var ev ccc.Event
		ccc.UnpackEvent(rec.In, &ev)
		if more, err := see(r.Header(), &ev, rec.In[0]&ccc.InRstN == 0 || rec.Number == 0, rec.Out); !more || err != nil {
			return err
		}
	}
	return nil
}

// recorded is a source of the events of a vector file: an episode after each reset.
type recorded struct {
	events []ccc.Event
	resets []bool
	next   int
}

func newRecords(f *tool.File) (stim.Source, error) {
	s := new(recorded)
	err := records(f, func(_ *format.Header, ev *ccc.Event, reset bool, _ []uint64) (bool, error) {
		s.events, s.resets = append(s.events, *ev), append(s.resets, reset)
		return true, nil
	})
	return s, err
}

// Next implements stim.Source, as do the others.
func (s *recorded) Next() (*stim.Episode, bool) {
	if s.next == len(s.events) {
		return nil, false
	}
	first := true
	return &stim.Episode{Name: "recorded", Block: Now().Block, Items: func(it *stim.Item) bool {
		if s.next == len(s.events) || s.resets[s.next] && !first {
			return false
		}
		clear(it.Words)
		ccc.PackEvent(&s.events[s.next], it.Words)
		first = false
		s.next++
		return true
	}}, true
}

// Err returns nil: the file has been read.
func (s *recorded) Err() error { return nil }

// Close does nothing.
func (s *recorded) Close() {}
