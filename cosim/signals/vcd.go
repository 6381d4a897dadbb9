package signals

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CycleTime is how many time units of a file make one cycle: the values settle in the first half and the clock rises
// in the second.
const CycleTime = 1000

// vcd reads a VCD file one time after another.
type vcd struct {
	r     *bufio.Reader
	names map[string][]string // by identifier: one signal may have several names
	now   map[string]string   // values, by identifier
	next  uint64              // the time that changes reads up to
	more  bool
}

// open reads the header. It returns an error when there is none, or no signal in it.
func open(r io.Reader) (*vcd, error) {
	v := &vcd{r: bufio.NewReaderSize(r, 1<<16), names: map[string][]string{}, now: map[string]string{}}
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
			v.names[w[3]] = append(v.names[w[3]], strings.Join(append(scope[:len(scope):len(scope)], w[4]), "."))
		case w[0] == "$enddefinitions":
			if len(v.names) == 0 {
				return nil, errors.New("header: it names no signal")
			}
			return v, v.seek()
		}
	}
}

// seek reads up to the first time.
func (v *vcd) seek() error {
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

func (v *vcd) at(line string) (err error) {
	v.more = true
	if v.next, err = strconv.ParseUint(line[1:], 10, 64); err != nil {
		return fmt.Errorf("time %q: %w", line, err)
	}
	return nil
}

func (v *vcd) line() (string, error) {
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

// changes takes the values of the next time, which it returns; ok is false at the end of the file.
func (v *vcd) changes() (time uint64, ok bool, err error) {
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
		case 'b', 'B', 'r', 'R':
			var found bool
			if value, id, found = strings.Cut(line, " "); !found {
				return 0, false, fmt.Errorf("time %d: value %q has no signal", time, line)
			}
		}
		if v.names[id] == nil {
			return 0, false, fmt.Errorf("time %d: %q is of no signal of the header", time, line)
		}
		v.now[id] = value
	}
}
