package traffic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// Units of the start times of a connection matrix, in picoseconds.
var units = map[string]float64{"": 1, "ps": 1, "ns": 1e3, "us": 1e6}

// maxStart is the latest start, in picoseconds.
const maxStart = 1e15

// ReadRegular returns the content of a file. It errors also when path names a pipe
// or a device, on which a reader could wait for ever.
func ReadRegular(path string) ([]byte, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is no regular file; give another path", path)
	}
	return os.ReadFile(path)
}

// LoadMatrix reads an htsim connection-matrix file; see ParseMatrix.
func LoadMatrix(path, unit string, hosts int) ([]Message, error) {
	text, err := ReadRegular(path)
	if err != nil {
		return nil, fmt.Errorf("connection matrix: %w", err)
	}
	out, err := ParseMatrix(bytes.NewReader(text), unit, hosts)
	if err != nil {
		return nil, fmt.Errorf("connection matrix %s: %w", path, err)
	}
	return out, nil
}

// ParseMatrix reads connections of the form
//
//	Nodes 128
//	Connections 2
//	0->5 id 1 start 0 size 2000000
//	3->5 id 2 start 1000000 size 2000000
//
// The reference simulator takes start in picoseconds; unit (ps, ns, us) says otherwise. It errors with the line when
// one cannot be read, names a host beyond the file's nodes or the topology's hosts, or the count is wrong.
func ParseMatrix(r io.Reader, unit string, hosts int) ([]Message, error) {
	scale, ok := units[unit]
	if !ok {
		return nil, fmt.Errorf("unit %q: want ps, ns or us", unit)
	}
	type header struct {
		n, low, high int
		legal        string
	}
	nodes := &header{-1, 2, hosts, fmt.Sprintf("2 to the topology's %d hosts", hosts)}
	count := &header{-1, 1, math.MaxInt, "1 or more"}
	headers := map[string]*header{"Nodes": nodes, "Connections": count}
	var out []Message
	in := bufio.NewScanner(r)
	for line := 1; in.Scan(); line++ {
		w := strings.Fields(in.Text())
		if len(w) == 0 || strings.HasPrefix(w[0], "#") {
			continue
		}
		bad := func(err error) error { return fmt.Errorf("line %d: %w", line, err) }
		switch h := headers[w[0]]; {
		case h != nil && len(w) == 2:
			if h.n >= 0 {
				return nil, bad(fmt.Errorf("%s: given before", w[0]))
			}
			n, err := strconv.Atoi(w[1])
			if err != nil || n < h.low || n > h.high {
				return nil, bad(fmt.Errorf("%s %s: want %s", strings.ToLower(w[0]), w[1], h.legal))
			}
			h.n = n
		case nodes.n < 0:
			return nil, bad(fmt.Errorf("%q: want Nodes N first", strings.Join(w, " ")))
		default:
			m, err := parseConnection(w, scale)
			if err == nil && (int(m.Src) >= nodes.n || int(m.Dst) >= nodes.n) {
				err = fmt.Errorf("%s: beyond Nodes %d", w[0], nodes.n)
			}
			if err != nil {
				return nil, bad(err)
			}
			m.Conn = int32(len(out))
			out = append(out, m)
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	switch {
	case nodes.n < 0:
		return nil, errors.New("empty; want Nodes N, Connections C and C lines such as 0->5 id 1 start 0 size 2000000")
	case count.n < 0:
		return nil, fmt.Errorf("%d connections, and no line Connections %d", len(out), len(out))
	case len(out) != count.n:
		return nil, fmt.Errorf("%d connections, the header says %d", len(out), count.n)
	}
	return out, nil
}

func parseConnection(w []string, scale float64) (m Message, err error) {
	a, b, ok := strings.Cut(w[0], "->")
	src, err1 := strconv.ParseInt(a, 10, 31)
	dst, err2 := strconv.ParseInt(b, 10, 31)
	if !ok || err1 != nil || err2 != nil || src < 0 || dst < 0 || len(w)%2 == 0 {
		return m, fmt.Errorf("%q: want src->dst id K start T size B", strings.Join(w, " "))
	}
	if src == dst {
		return m, fmt.Errorf("%s: a host does not send to itself", w[0])
	}
	id, start, size := -1.0, 0.0, -1.0
	fields := map[string]*float64{"id": &id, "start": &start, "size": &size}
	seen := map[string]bool{}
	for i := 1; i < len(w); i += 2 {
		v, err := strconv.ParseFloat(w[i+1], 64)
		switch {
		case err != nil || !(v >= 0) || v > 1e15:
			return m, fmt.Errorf("%s %s: want a number of 0 or above", w[i], w[i+1])
		case seen[w[i]]:
			return m, fmt.Errorf("%s %s: given before on the line", w[i], w[i+1])
		case w[i] == "start" && v*scale > maxStart:
			return m, fmt.Errorf("start %s: want at most %g s", w[i+1], maxStart/1e12)
		case w[i] != "start" && v != math.Trunc(v), w[i] == "id" && v > math.MaxInt32:
			return m, fmt.Errorf("%s %s: want a whole number", w[i], w[i+1])
		case fields[w[i]] == nil:
			return m, fmt.Errorf("%s: want id, start or size", w[i])
		}
		seen[w[i]], *fields[w[i]] = true, v
	}
	m = Message{Src: int32(src), Dst: int32(dst), ID: int32(id), Bytes: int64(size)}
	m.Start = int64(math.Round(start * scale))
	if m.Bytes == -1 {
		return m, fmt.Errorf("%s: no size", w[0])
	}
	if m.Bytes < 1 || m.Bytes > 1<<40 {
		return m, fmt.Errorf("%s: size %d: want 1 to 2^40", w[0], m.Bytes)
	}
	return m, nil
}
