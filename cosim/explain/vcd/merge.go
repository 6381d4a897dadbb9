package vcd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Unknown is the value of a track that is not known, for any width.
const Unknown = "x"

// Track is one signal that Merge adds.
type Track struct {
	Scope []string // outermost first
	Name  string
	Bits  int // 0 for a text

	now string
	id  string
}

// Path returns the name by which viewers find the track, with the range of its bits.
func (t *Track) Path() string {
	return strings.Join(append(slices.Clone(t.Scope), t.Name), ".") + t.span()
}

// span is the range of the bits in a name, "" for a text or a single bit.
func (t *Track) span() string {
	if t.Bits < 2 {
		return ""
	}
	return fmt.Sprintf("[%d:0]", t.Bits-1)
}

// Tracks are signals and their values over time. Times must not decrease.
type Tracks struct {
	all   []*Track
	times []moment
}

// moment is what changes at one time.
type moment struct {
	at    uint64
	lines []change
}

type change struct {
	of    *Track
	value string
}

// Add adds a signal of some bits, or a text where they are 0. Tracks of one scope are added one after the other.
func (t *Tracks) Add(bits int, name string, scope ...string) *Track {
	x := &Track{Scope: scope, Name: name, Bits: bits}
	t.all = append(t.all, x)
	return x
}

// At begins a time, later than the one before.
func (t *Tracks) At(time uint64) { t.times = append(t.times, moment{at: time}) }

// Set gives a signal a value from the last At on: binary digits, Unknown, or a text. In a text, spaces become commas;
// an empty text becomes a dash.
func (t *Tracks) Set(x *Track, value string) {
	if x.Bits == 0 {
		value = word(value)
	}
	if value == x.now {
		return
	}
	x.now = value
	m := &t.times[len(t.times)-1]
	m.lines = append(m.lines, change{x, value})
}

// word makes a text one word of printable characters.
func word(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return ','
		case r < ' ' || r > '~' || r == '\\':
			return '_'
		}
		return r
	}, text)
}

// Binary returns the lowest bits of a number as Set takes them.
func Binary(v uint64, bits int) string {
	s := strconv.FormatUint(v, 2)
	if len(s) > bits {
		return s[len(s)-bits:]
	}
	return strings.Repeat("0", bits-len(s)) + s
}

func (c *change) line() string {
	switch {
	case c.of.Bits == 0:
		return "s" + c.value + " " + c.of.id
	case c.of.Bits == 1:
		return c.value + c.of.id
	}
	return "b" + c.value + " " + c.of.id
}

// Merge copies a dump and adds the tracks. If both change at one time, the tracks come last. The tracks go on to the
// time end, even if the dump ends earlier. It returns an error if the dump has no header.
func Merge(dst io.Writer, src io.Reader, t *Tracks, end uint64) error {
	m := merger{w: bufio.NewWriterSize(dst, 1<<16), left: t.times}
	taken, header := map[string]bool{}, false
	r := bufio.NewReaderSize(src, 1<<16)
	for {
		line, err := r.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text := strings.TrimSpace(line)
		switch w := strings.Fields(text); {
		case len(w) > 4 && w[0] == "$var" && !header:
			taken[w[3]] = true
		case strings.HasPrefix(text, "$enddefinitions") && !header:
			header = true
			t.name(taken)
			t.declare(m.w)
		case strings.HasPrefix(text, "#") && header:
			at, perr := strconv.ParseUint(text[1:], 10, 64)
			if perr != nil {
				return fmt.Errorf("time %q: %w", text, perr)
			}
			m.until(at)
		}
		if text != "" {
			m.line(text)
		}
		if err != nil {
			break
		}
	}
	if !header {
		return fmt.Errorf("the dump has no header: %w", io.ErrUnexpectedEOF)
	}
	if !m.begun || m.last < end {
		m.until(end)
		m.line(fmt.Sprintf("#%d", end))
	}
	m.own(end)
	return m.w.Flush()
}

// name gives each track an identifier that the dump does not have.
func (t *Tracks) name(taken map[string]bool) {
	n := 0
	for _, x := range t.all {
		for x.id == "" || taken[x.id] {
			x.id = fmt.Sprintf("gw%d", n)
			n++
		}
	}
}

func (t *Tracks) declare(w *bufio.Writer) {
	var open []string
	enter := func(scope []string) {
		same := 0
		for same < min(len(open), len(scope)) && open[same] == scope[same] {
			same++
		}
		for range len(open) - same {
			fmt.Fprintln(w, "$upscope $end")
		}
		for _, s := range scope[same:] {
			fmt.Fprintf(w, "$scope module %s $end\n", s)
		}
		open = scope
	}
	for _, x := range t.all {
		enter(x.Scope)
		kind, bits, span := "wire", x.Bits, x.span()
		if bits == 0 {
			kind, bits = "string", 1
		}
		if span != "" {
			span = " " + span
		}
		fmt.Fprintf(w, "$var %s %d %s %s%s $end\n", kind, bits, x.id, x.Name, span)
	}
	enter(nil)
}

// merger writes the lines of a dump and, in their time, the changes of tracks.
type merger struct {
	w     *bufio.Writer
	left  []moment
	begun bool   // a time was written
	last  uint64 // the one written last
}

// until writes the changes before a time: those of the time written last, and others with their own times.
func (m *merger) until(at uint64) {
	if m.begun {
		m.own(m.last)
	}
	for len(m.left) > 0 && m.left[0].at < at {
		t := m.left[0].at
		if !m.begun || m.last < t {
			m.line(fmt.Sprintf("#%d", t))
		}
		m.begun, m.last = true, t
		m.own(t)
	}
	m.begun, m.last = true, at
}

// own writes the changes up to a time.
func (m *merger) own(at uint64) {
	for ; len(m.left) > 0 && m.left[0].at <= at; m.left = m.left[1:] {
		for i := range m.left[0].lines {
			m.line(m.left[0].lines[i].line())
		}
	}
}

func (m *merger) line(text string) {
	m.w.WriteString(text)
	m.w.WriteByte('\n')
}
