package vcd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// CycleTime is how many time units of a design's dump make one cycle: the values settle in the first half and the clock
// rises in the second.
const CycleTime = 1000

// Signal is one name of a signal. Several names may have one ID, and so one value.
type Signal struct {
	Name string // path from the outermost scope, joined by dots, without the range of its bits
	ID   string
	Kind string // wire, reg, string and so on
	Bits int
}

// Reader reads a dump one time after another.
type Reader struct {
	r       *bufio.Reader
	signals []Signal
	known   map[string]bool   // by ID
	now     map[string]string // values, by ID
	next    uint64            // the time that Next reads up to
	more    bool
}

// Open opens a file and reads its header. The function returned closes it.
func Open(path string) (*Reader, func(), error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	v, err := NewReader(f)
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, func() { f.Close() }, nil
}

// NewReader reads the header. It returns an error when there is none, or no signal in it.
func NewReader(r io.Reader) (*Reader, error) {
	v := &Reader{r: bufio.NewReaderSize(r, 1<<16), known: map[string]bool{}, now: map[string]string{}}
	var scope []string
	for {
		line, err := v.line()
		if err != nil {
			return nil, fmt.Errorf("header: %w", ended(err))
		}
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		switch {
		case w[0] == "$scope" && len(w) > 2:
			scope = append(scope, w[2])
		case w[0] == "$upscope" && len(scope) > 0:
			scope = scope[:len(scope)-1]
		case w[0] == "$var" && len(w) > 4:
			bits, err := strconv.Atoi(w[2])
			if err != nil {
				return nil, fmt.Errorf("header: signal %s has %q bits", w[4], w[2])
			}
			name := strings.Join(append(scope[:len(scope):len(scope)], w[4]), ".")
			v.signals = append(v.signals, Signal{Name: name, ID: w[3], Kind: w[1], Bits: bits})
			v.known[w[3]] = true
		case w[0] == "$enddefinitions":
			if len(v.signals) == 0 {
				return nil, errors.New("header: it names no signal")
			}
			return v, v.seek()
		}
	}
}

// Signals returns the signals in the order of the header.
func (v *Reader) Signals() []Signal { return v.signals }

// Value returns the value of a signal at the time read last, as the file has it: 0, b0110, sTEXT; "" before its first.
func (v *Reader) Value(id string) string { return v.now[id] }

// seek reads up to the first time.
func (v *Reader) seek() error {
	for {
		line, err := v.line()
		if err != nil {
			return fmt.Errorf("no time: %w", ended(err))
		}
		if strings.HasPrefix(line, "#") {
			return v.at(line)
		}
	}
}

func (v *Reader) at(line string) (err error) {
	v.more = true
	if v.next, err = strconv.ParseUint(line[1:], 10, 64); err != nil {
		return fmt.Errorf("time %q: %w", line, err)
	}
	return nil
}

func (v *Reader) line() (string, error) {
	s, err := v.r.ReadString('\n')
	if err != nil && s == "" {
		return "", err
	}
	return strings.TrimSpace(s), nil
}

// ended names an end of the file that came too early.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Next takes the values of the next time, which it returns; ok is false at the end of the file.
func (v *Reader) Next() (time uint64, ok bool, err error) {
	if !v.more {
		return 0, false, nil
	}
	time, v.more = v.next, false
	for {
		line, err := v.line()
		if errors.Is(err, io.EOF) {
			return time, true, nil
		}
		if err != nil {
			return 0, false, err
		}
		if line == "" || line[0] == '$' {
			continue
		}
		id, value := line[1:], line[:1]
		switch line[0] {
		case '#':
			return time, true, v.at(line)
		case 'b', 'B', 'r', 'R', 's', 'S':
			var found bool
			if value, id, found = strings.Cut(line, " "); !found {
				return 0, false, fmt.Errorf("time %d: value %q has no signal", time, line)
			}
		}
		if !v.known[id] {
			return 0, false, fmt.Errorf("time %d: %q is of no signal of the header", time, line)
		}
		v.now[id] = value
	}
}
