package client

import (
	"fmt"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// Batch is a buffer for consecutive cycles of a run. It belongs to the caller from Get to Submit.
type Batch struct {
	in, want          []uint64
	inWords, outWords int
	n, limit          int
	inOff, wantOff    uint64 // places in the shared memory
}

// Next returns the records of the next cycle, to be filled completely: input and expected output. It
// panics on a full batch.
func (b *Batch) Next() (in, want []uint64) {
	if b.n >= b.limit {
		panic("bridge/client: Next on a full batch")
	}
	i, o := b.n*b.inWords, b.n*b.outWords
	b.n++
	return b.in[i : i+b.inWords : i+b.inWords], b.want[o : o+b.outWords : o+b.outWords]
}

// Undo takes back the last Next.
func (b *Batch) Undo() { b.n-- }

// Len returns how many cycles are in the batch.
func (b *Batch) Len() int { return b.n }

// Cap returns how many cycles the batch holds, chosen by the DUT's speed.
func (b *Batch) Cap() int { return b.limit }

// Records returns the records of the cycles in the batch, one after the other: inputs and expected outputs.
func (b *Batch) Records() (in, want []uint64) { return b.in[:b.n*b.inWords], b.want[:b.n*b.outWords] }

// Full reports whether Len is Cap.
func (b *Batch) Full() bool { return b.n >= b.limit }

// Append copies whole cycles from in and want, as many as fit, and returns how many.
func (b *Batch) Append(in, want []uint64) int {
	n := min(len(in)/b.inWords, len(want)/b.outWords, b.limit-b.n)
	copy(b.in[b.n*b.inWords:], in[:n*b.inWords])
	copy(b.want[b.n*b.outWords:], want[:n*b.outWords])
	b.n += n
	return n
}

func (s *Session) newBatch(i int) *Batch {
	b := &Batch{inWords: s.bin.InWords, outWords: s.bin.OutWords}
	if s.shm != nil {
		s.shm.place(b, i)
		return b
	}
	b.in = make([]uint64, s.opt.MaxBatch*b.inWords)
	b.want = make([]uint64, s.opt.MaxBatch*b.outWords)
	return b
}

// Get returns an empty batch, waiting while Window batches are in use. It errors with ErrStopped after a
// finding, and with the session's error.
func (s *Session) Get() (*Batch, error) {
	s.mu.Lock()
	stop := s.stop
	s.mu.Unlock()
	select { // findings first: there may be free batches too
	case <-stop:
		return nil, ErrStopped
	case <-s.failed:
		return nil, s.failure()
	default:
	}
	select {
	case b := <-s.free:
		b.n, b.limit = 0, int(s.target.Load())
		return b, nil
	case <-stop:
		return nil, ErrStopped
	case <-s.failed:
		return nil, s.failure()
	}
}

// Submit hands a batch to the DUT and returns at once; an empty one just goes back. The order of the calls
// is the order of the cycles.
func (s *Session) Submit(b *Batch) error {
	if err := s.failure(); err != nil {
		return err
	}
	if b.n == 0 {
		s.free <- b
		return nil
	}
	s.mu.Lock()
	s.outstanding++
	s.mu.Unlock()
	s.owe()
	if s.shm == nil {
		s.send <- b // has room for every batch there is
		return nil
	}
	s.flight <- b
	if s.out.post(wire.TypeBatch, &wire.Batch{Cycles: b.n, Shm: true, InOff: b.inOff, WantOff: b.wantOff}) != nil {
		return s.broken()
	}
	return nil
}

// Replay submits whole cycles held in memory. It stops early, without an error, at a finding.
func (s *Session) Replay(in, want []uint64) error {
	if len(in)/s.bin.InWords != len(want)/s.bin.OutWords || len(in)%s.bin.InWords != 0 || len(want)%s.bin.OutWords != 0 {
		return fmt.Errorf("replay of %d input words and %d output words: not the same number of whole records", len(in),
			len(want))
	}
	for len(in) > 0 {
		b, err := s.Get()
		if err == ErrStopped {
			return nil
		}
		if err != nil {
			return err
		}
		n := b.Append(in, want)
		in, want = in[n*s.bin.InWords:], want[n*s.bin.OutWords:]
		if err := s.Submit(b); err != nil {
			return err
		}
	}
	return nil
}

// Finish waits until the DUT has answered every batch, ends the run and returns its outcome. For a run that the RTL
// stopped itself it returns the cycles before that and an *RTLError. The model keeps its state: the next run goes on
// from it, unless there is a Restart or a reset in the records.
func (s *Session) Finish() (Result, error) {
	s.mu.Lock()
	for s.outstanding > 0 && s.err == nil {
		s.back.Wait()
	}
	s.mu.Unlock()
	m, _, err := ask[wire.Finished](s, wire.TypeFinish, wire.TypeFinished, nil)
	if err != nil {
		return Result{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	res := Result{Cycles: m.Cycles, Digest: wire.Digest(m.Digest), Busy: time.Duration(m.BusyNs), Mismatch: s.mismatch}
	rtl := s.rtl
	s.mismatch, s.rtl = nil, nil
	if s.found {
		s.stop, s.found = make(chan struct{}), false
	}
	if rtl != nil {
		return res, rtl
	}
	if m.Mismatch != (res.Mismatch != nil) {
		return res, &wire.Error{Kind: wire.ErrProtocol,
			What: "the DUT's totals and its mismatch report contradict each other"}
	}
	return res, nil
}

// batchDone takes the oldest batch back and fits the size of the next ones to its cost.
func (s *Session) batchDone(f *wire.Frame) error {
	var m wire.Result
	if err := f.Decode(&m); err != nil {
		return err
	}
	var b *Batch
	select {
	case b = <-s.flight:
	default:
		return &wire.Error{Kind: wire.ErrProtocol, What: "the DUT answered a batch that was not sent"}
	}
	if m.Cycles < 0 || m.Cycles > b.n || m.BusyNs < 0 {
		return wire.Fail(wire.ErrProtocol, "the DUT ran %d cycles of a batch of %d", m.Cycles, b.n)
	}
	s.adapt(m.Cycles, b.limit, time.Duration(m.BusyNs))
	s.pending.Add(-1)
	s.free <- b // has room for every batch there is
	s.mu.Lock()
	s.outstanding--
	s.mu.Unlock()
	s.back.Broadcast()
	return nil
}

// adapt doubles or halves the batch size when a batch of that size took too little or too much time. The results do not
// depend on it.
func (s *Session) adapt(cycles, limit int, busy time.Duration) {
	now := int(s.target.Load())
	if cycles != limit || limit != now {
		return // a partial batch, or one of an earlier size
	}
	switch {
	case busy < s.opt.MinBusy:
		now = min(2*now, s.opt.MaxBatch)
	case busy > s.opt.MaxBusy:
		now = max(now/2, s.opt.MinBatch)
	}
	s.target.Store(int64(now))
}

// mismatched notes the first differing cycle.
func (s *Session) mismatched(f *wire.Frame) error {
	var m wire.Mismatch
	if err := f.Decode(&m); err != nil {
		return err
	}
	n := m.Count
	in, out := s.bin.InWords, s.bin.OutWords
	if n < 1 || n > 1<<16 || len(f.Bulk) != n*(in+2*out) || m.Cycle < m.From || m.Cycle-m.From >= uint64(n) {
		return wire.Fail(wire.ErrProtocol, "mismatch of %d records carries %d words", n, len(f.Bulk))
	}
	w := append([]uint64(nil), f.Bulk...)
	s.finding(&Mismatch{Cycle: m.Cycle, From: m.From, In: w[:n*in], Want: w[n*in : n*(in+out)], Got: w[n*(in+out):]}, nil)
	return nil
}

// finding stops the run.
func (s *Session) finding(m *Mismatch, rtl *RTLError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m != nil {
		s.mismatch = m
	}
	if rtl != nil {
		s.rtl = rtl
	}
	if !s.found {
		s.found = true
		close(s.stop)
	}
}
