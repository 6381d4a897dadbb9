package client

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
)

// BenchResult is the outcome of a native replay.
type BenchResult struct {
	Cycles     uint64        // over all repetitions
	Elapsed    time.Duration // in the replay loop alone
	Mismatches uint64        // cycles that differed
}

// CyclesPerSecond returns the speed, 0 when nothing was measured.
func (r BenchResult) CyclesPerSecond() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.Cycles) / r.Elapsed.Seconds()
}

// Bench replays a file that WriteVectors wrote reps times inside the DUT process, with an inline compare and
// no bridge: what the bridge is measured against. Each repetition starts from a new model with the seed of
// the session, and the last one is left in use: call Restart before anything else. It errors with wire.ErrVectors for
// a file that is damaged or of another block.
func (s *Session) Bench(file string, reps int) (BenchResult, error) {
	if reps < 1 {
		return BenchResult{}, fmt.Errorf("bench of %d repetitions: at least one is needed", reps)
	}
	m, _, err := ask[wire.Benched](s, wire.TypeBench, wire.TypeBenched, &wire.Bench{File: file, Reps: reps})
	if err != nil {
		return BenchResult{}, err
	}
	return BenchResult{Cycles: m.Cycles, Elapsed: time.Duration(m.Ns), Mismatches: m.Mismatches}, nil
}

const vectorMagic = "GWVECT01"

// WriteVectors writes whole cycles, input records and expected output records, as a file for Bench. The
// format is in bridge/PROTOCOL.md.
func WriteVectors(path string, bin *launch.Binary, in, want []uint64) (err error) {
	n := len(in) / bin.InWords
	if n == 0 || n*bin.InWords != len(in) || n*bin.OutWords != len(want) {
		return fmt.Errorf("vector file of %d input words and %d output words: not the same number of whole records", len(in),
			len(want))
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(crc32.Checksum(wire.Bytes(in), table), table, wire.Bytes(want))
	head := make([]byte, 0, 64)
	head = append(head, vectorMagic...)
	head = append(head, bin.SchemaHash...)
	for _, v := range []uint64{uint64(bin.InWords), uint64(bin.OutWords), uint64(n), uint64(sum), 0} {
		head = binary.LittleEndian.AppendUint64(head, v)
	}
	if len(head) != 64 {
		return fmt.Errorf("vector file: schema hash %q does not have 16 digits", bin.SchemaHash)
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("vector file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	for _, part := range [][]byte{head, wire.Bytes(in), wire.Bytes(want)} {
		_, _ = w.Write(part) // Flush returns the first error
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("vector file: %w", err)
	}
	return nil
}
