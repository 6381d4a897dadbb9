package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
)

// vectors makes a vector file the source of the events and of what is expected.
func (e *elasticEngine) vectors() error {
	path := e.cfg.Expect
	r, err := e.reader()
	if err != nil {
		return err
	}
	r.Close()
	e.limits = r.Header()
	e.spec.Uncounted = either(e.spec.Uncounted, e.block.FieldBits(e.limits.Constants))
	perCycle := r.Header().Per == format.PerCycle
	if perCycle && e.cfg.Bind.Latency != bind.Exact {
		return fmt.Errorf("%s: it holds cycles, and %s says latency: elastic; make the file with --per transaction", path,
			e.cfg.Bind.File)
	}
	e.open = func(name string) (stim.Source, error) {
		r, err := e.reader()
		if err != nil {
			return nil, err
		}
		if name == e.cfg.Source {
			name = ""
		}
		if perCycle {
			s := &cycleFile{file: r, alone: name}
			e.cycles = s.cycle
			return s, nil
		}
		f := elastic.NewFile(r.Reader, name)
		f.StartOnly = e.spec.NoReset || e.block.Stimulus != nil && e.block.Stimulus.Resets == "start"
		e.expect = f.Owed()
		return &eventFile{f, r}, nil
	}
	return nil
}

// limited adds to a result what limits a comparison with a file: of it, and not of the design.
func (e *elasticEngine) limited(res *report.Result) {
	if e.limits == nil {
		return
	}
	for _, rule := range e.limits.Relaxed {
		res.Relaxed = append(res.Relaxed, rule+" (of the reference)")
	}
	for _, name := range e.limits.Constants {
		res.Uncompared = append(res.Uncompared, name+" (a constant of the reference's map)")
	}
}

// file is an open vector file.
type file struct {
	*format.Reader
	f    *os.File
	path string
}

// Close closes it.
func (f *file) Close() { f.f.Close() }

// wrap puts the file's name before an error of it.
func (f *file) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

// reader opens the file and checks that it is for this design.
func (e *elasticEngine) reader() (*file, error) {
	f, err := os.Open(e.cfg.Expect)
	if err != nil {
		return nil, fmt.Errorf("expected values: %w", err)
	}
	r, err := format.NewReader(f)
	if err == nil {
		err = elastic.Fits(r.Header(), e.block, e.params)
	}
	if err == nil {
		err = event.SameComparison("it", r.Block(), e.cfg.Bind.File, e.block)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", e.cfg.Expect, err)
	}
	return &file{r, f, e.cfg.Expect}, nil
}

// eventFile is the source of a file per transaction.
type eventFile struct {
	*elastic.File
	file *file
}

// Err returns what is wrong with the file.
func (s *eventFile) Err() error { return s.file.wrap(s.File.Err()) }

// Close closes the file.
func (s *eventFile) Close() { s.file.Close() }

// cycleFile is the source of a file per cycle: its episodes have a name, and their cycles come from cycle.
type cycleFile struct {
	*file
	alone string
	next  *format.Mark // of the episode to come
	rec   *format.Record
	err   error
	found bool
}

// read takes a record from the file.
func (s *cycleFile) read() {
	switch s.rec, s.err = s.Reader.Next(); {
	case s.err != nil:
		s.rec = nil
	case s.rec.Mark != nil:
		m := *s.rec.Mark
		s.next = &m
	case s.rec.Number == 0: // or what comes before the first episode would never be played
		s.rec, s.err = nil, errors.New("record 0 begins no episode; generate the file again")
	}
}

// Next returns the next episode.
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
			return stim.Streamed(m.Name, s.Header().Block, m.Seed, stim.DriveSpec{}, func(*stim.Item) bool { return false }), true
		}
	}
	return nil, false
}

// cycle returns the next cycle of the episode.
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

// fileWave dumps the waveform of a failure of a file, whose events cannot be cut down: the response to
// one depends on all before it.
func (e *elasticEngine) fileWave(ctx context.Context, m *report.Mismatch, f *elasticFailure) (err error) {
	if e.cfg.WaveDir == "" {
		return nil
	}
	m.Wave, err = waveOf(ctx, &e.cfg, e.params, f.name, f.find.Cycle, func(dev *device.Device, file string, from,
		cycles uint64) error {
		src, err := e.open(f.name)
		if err != nil {
			return err
		}
		defer src.Close()
		ep, ok := src.Next()
		if !ok {
			return errors.Join(fmt.Errorf("episode %s: the file ended before it", f.name), src.Err())
		}
		if err := e.restart(dev, f.name); err != nil {
			return err
		}
		if err := dev.Session.Trace(file, from, cycles); err != nil {
			return err
		}
		if _, err := e.playOn(ctx, dev, ep); err != nil {
			return err
		}
		return dev.Session.Trace("", 0, 0)
	})
	return err
}
