package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
)

// ErrTrace is wrapped by every error that the trace itself causes.
var ErrTrace = errors.New("trace unreadable")

const (
	maxLine = 64 << 10
	// Inputs beyond these cannot come from a simulation and would overflow sums.
	maxTime  = int64(1) << 53
	maxBytes = int64(1) << 40
)

// decompress returns a reader of the plain text and a function that frees it.
// The format is found from the first bytes, so a pipe works as well as a file.
func decompress(r io.Reader) (io.Reader, func(), error) {
	br := bufio.NewReaderSize(r, 64<<10)
	magic, err := br.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("%w: %w", ErrTrace, err)
	}
	none := func() {}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: gzip header: %w", ErrTrace, err)
		}
		return z, none, nil
	case bytes.HasPrefix(magic, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		z, err := xz.NewReader(br)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: xz header: %w", ErrTrace, err)
		}
		return z, none, nil
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, nil, fmt.Errorf("%w: zstd header: %w", ErrTrace, err)
		}
		return z, z.Close, nil
	}
	return br, none, nil
}

// row is one parsed line of a trace.
type row struct {
	line   int // of the file, from 1
	row    int // of the data, from 1
	n      int64
	flow   int64
	event  htsim.Event
	action htsim.Action
	want   [numChecked]int64
}

// reader yields the rows of a trace one by one.
type reader struct {
	sc    *bufio.Scanner
	line  int
	cells [len(header)]string
}

// newReader checks the header and returns a reader at the first row.
func newReader(r io.Reader) (*reader, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 8<<10), maxLine)
	t := &reader{sc: sc}
	text, err := t.next()
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("%w: no header; the first line must name the 58 columns, n to cwnd_after", ErrTrace)
	}
	if err := t.split(text); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrTrace, err)
	}
	for i, name := range header {
		if got := strings.TrimSpace(t.cells[i]); got != name {
			return nil, fmt.Errorf("%w: header: column %d is %q, want %q", ErrTrace, i+1, clip(got), name)
		}
	}
	return t, nil
}

// next returns the next line that is not empty, or "" at the end.
func (t *reader) next() (string, error) {
	for t.sc.Scan() {
		t.line++
		if s := strings.TrimRight(t.sc.Text(), "\r"); s != "" {
			return s, nil
		}
	}
	if err := t.sc.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes, so this is not a trace", maxLine)
		}
		return "", fmt.Errorf("%w: line %d: %w", ErrTrace, t.line+1, err)
	}
	return "", nil
}

func (t *reader) split(text string) error {
	if n := strings.Count(text, ",") + 1; n != len(header) {
		return fmt.Errorf("%d columns, want %d", n, len(header))
	}
	for i := range t.cells {
		t.cells[i], text, _ = strings.Cut(text, ",")
	}
	return nil
}

// read fills w with the next row, and returns io.EOF after the last.
func (t *reader) read(w *row) error {
	text, err := t.next()
	if err != nil {
		return err
	}
	if text == "" {
		return io.EOF
	}
	if err := t.split(text); err != nil {
		return t.bad(err)
	}
	if err := t.parse(w); err != nil {
		return t.bad(err)
	}
	w.line = t.line
	return nil
}

func (t *reader) bad(err error) error {
	return fmt.Errorf("%w: line %d: %w", ErrTrace, t.line, err)
}

// number parses column col and checks it against an inclusive range.
func (t *reader) number(col int, lo, hi int64, err *error) int64 {
	if *err != nil {
		return 0
	}
	v, e := strconv.ParseInt(t.cells[col], 10, 64)
	if e != nil {
		*err = fmt.Errorf("column %s: %q is not a whole number", header[col], clip(t.cells[col]))
		return 0
	}
	if v < lo || v > hi {
		*err = fmt.Errorf("column %s: %d is outside %d to %d", header[col], v, lo, hi)
	}
	return v
}

func (t *reader) parse(w *row) (err error) {
	var ok bool
	w.n = t.number(colN, 0, 1<<62, &err)
	w.flow = t.number(colFlow, -1<<62, 1<<62, &err)
	e := &w.event
	if e.Kind, ok = htsim.ParseKind(t.cells[colKind]); !ok && err == nil {
		err = fmt.Errorf("column kind: %q is not ACK, NACK or RTO", clip(t.cells[colKind]))
	}
	if w.action = t.cells[colAction]; !slices.Contains(htsim.Actions, w.action) && err == nil {
		err = fmt.Errorf("column action: %q is not an action", clip(w.action))
	}
	e.Time = t.number(colTime, 0, maxTime, &err)
	e.RTT = htsim.Sample(t.number(colRTTValid, 0, 2, &err))
	e.RawRTT = t.number(colRawRTT, 0, maxTime, &err)
	e.ECN = t.number(colECN, 0, 1, &err) == 1
	e.IsRTS = t.number(colIsRTS, 0, 1, &err) == 1
	e.Newly = t.number(colNewly, 0, maxBytes, &err)
	e.Lost = t.number(colLost, 0, maxBytes, &err)
	e.InFlight = t.number(colInFlight, -maxBytes, maxBytes, &err)
	for i, col := range checked {
		w.want[i] = t.number(col, -1<<62, 1<<62, &err)
	}
	return err
}

// clip keeps an error to one readable line whatever the cell held.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
