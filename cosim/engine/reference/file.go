package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
)

// open opens a file of vectors, the events and what is expected, and checks that it is for this design.
func open(path string, s *Setup) (Reference, error) {
	x := &vectors{path: path, setup: s}
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	r.Close()
	x.header = r.Header()
	if x.perCycle() && s.Device.Bind.Latency != bind.Exact {
		return nil, fmt.Errorf("%s: it holds cycles, but %s has latency: elastic; make the file with --per transaction",
			path, s.Device.Bind.File)
	}
	return x, nil
}

// vectors is a file of vectors that was opened.
type vectors struct {
	plain
	path   string
	setup  *Setup
	header *format.Header

	// Of the source opened last: a file per transaction has what is owed, one per cycle the cycles.
	owed   elastic.Expect
	events *eventFile
	cycles func(in, want []uint64) (bool, error)
}

func (x *vectors) perCycle() bool { return x.header.Per == format.PerCycle }

// Adapt removes what the file does not know from what counts as compared.
func (x *vectors) Adapt(spec *elastic.Spec) {
	spec.Uncounted = either(spec.Uncounted, x.setup.Block.Schema.FieldBits(x.header.Constants))
}

// Limits are those of the design that gave the answers.
func (x *vectors) Limits() (relaxed, uncompared []string) {
	return limits(x.header.Relaxed, x.header.Constants)
}

func (x *vectors) Open(name string) (stim.Source, error) {
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	if name == x.setup.Source {
		name = ""
	}
	if x.perCycle() {
		s := &cycleFile{vectorFile: r, alone: name}
		x.cycles = s.cycle
		return s, nil
	}
	f := elastic.NewFile(r.Reader, name)
	b := x.setup.Block.Schema
	f.StartOnly = x.setup.Device.Bind.Reset.None || b.Stimulus != nil && b.Stimulus.Resets == "start"
	x.owed, x.events = f.Owed(), &eventFile{f, r}
	return x.events, nil
}

// Play compares with the source opened last.
func (x *vectors) Play(ctx context.Context, dev elastic.Device, ep *stim.Episode, spec elastic.Spec,
	_ func() error) (elastic.Outcome, error) {
	if !x.perCycle() {
		out, err := elastic.Play(ctx, dev, x.owed, ep, spec)
		return out, x.events.blamed(err)
	}
	out, err := elastic.PlayCycles(ctx, dev, x.cycles, spec)
	var whose *elastic.ReferenceError
	if errors.As(err, &whose) {
		err = fault(x.path, nil, err)
	}
	return out, err
}

func (x *vectors) Ahead() int {
	if x.perCycle() {
		return elastic.Chunk
	}
	return 0
}

func (*vectors) Cuts() bool { return false } // the response to an event depends on all before it

// reader opens the file and checks that it is for this design.
func (x *vectors) reader() (*vectorFile, error) {
	f, err := os.Open(x.path)
	if err != nil {
		return nil, fmt.Errorf("expected values: %w", err)
	}
	b := x.setup.Block.Schema
	r, err := format.NewReader(f)
	if err == nil {
		err = elastic.Fits(r.Header(), b, x.setup.Params)
	}
	if err == nil {
		err = event.SameComparison("it", r.Block(), x.setup.Device.Bind.File, b)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", x.path, err)
	}
	return &vectorFile{r, f, x.path}, nil
}

type vectorFile struct {
	*format.Reader
	f    *os.File
	path string
}

func (f *vectorFile) Close() { f.f.Close() }

// wrap prefixes an error of the file with its name.
func (f *vectorFile) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

// eventFile is the source of a file per transaction.
type eventFile struct {
	*elastic.File
	file *vectorFile
}

func (s *eventFile) Err() error { return s.file.wrap(s.File.Err()) }

// blamed prefixes an error of a run with the file's name, if it is the file's fault.
func (s *eventFile) blamed(err error) error {
	if broken := s.File.Err(); broken != nil && errors.Is(err, broken) {
		return s.file.wrap(err)
	}
	return err
}

func (s *eventFile) Close() { s.file.Close() }

// cycleFile is the source of a file per cycle: its episodes have a name, and their cycles come from cycle.
type cycleFile struct {
	*vectorFile
	alone string
	next  *format.Mark // of the episode to come
	rec   *format.Record
	err   error
	found bool
}

func (s *cycleFile) read() {
	switch s.rec, s.err = s.Reader.Next(); {
	case s.err != nil:
		s.rec = nil
	case s.rec.Mark != nil:
		m := *s.rec.Mark
		s.next = &m
	case s.rec.Number == 0: // otherwise what comes before the first episode would never be played
		s.rec, s.err = nil, errors.New("record 0 begins no episode; generate the file again")
	}
}

func (s *cycleFile) Next() (*stim.Episode, bool) {
	for s.err == nil {
		for s.err == nil && s.next == nil {
			s.read()
		}
		if s.next == nil {
			break
		}
		m := s.next
		if s.next = nil; s.alone == "" || m.Name == s.alone {
			s.found = true
			none := func(*stim.Item) bool { return false } // cycle has what is played
			return stim.Streamed(m.Name, s.Header().Block, m.Seed, stim.DriveSpec{}, none), true
		}
	}
	return nil, false
}

func (s *cycleFile) cycle(in, want []uint64) (bool, error) {
	if s.rec == nil || s.next != nil {
		return false, s.Err()
	}
	copy(in, s.rec.In)
	copy(want, s.rec.Out)
	s.read()
	return true, nil
}

// Err returns what is wrong with the file, or that it has no such episode.
func (s *cycleFile) Err() error {
	switch {
	case s.err != nil && !errors.Is(s.err, io.EOF):
		return s.wrap(s.err)
	case s.err != nil && s.alone != "" && !s.found:
		return s.wrap(fmt.Errorf("it has no episode %s", s.alone))
	}
	return nil
}
