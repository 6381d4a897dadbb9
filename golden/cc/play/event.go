package play

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// line is one event as it is written.
type line struct {
	Ev     string             `json:"ev"`
	T      *float64           `json:"t"`
	DT     *float64           `json:"dt"`
	Times  *int               `json:"times"`
	Every  float64            `json:"every"`
	Expect map[string]any     `json:"expect"`
	Tol    float64            `json:"tol"`
	CC     string             `json:"cc"`
	Set    map[string]float64 `json:"set"`

	PSN    *uint32  `json:"psn"`
	N      *int     `json:"n"`
	Size   *int64   `json:"size"`
	Acked  []uint32 `json:"acked"`
	RTT    *float64 `json:"rtt"`
	Sample *bool    `json:"sample"`
	ECN    bool     `json:"ecn"`
	Una    *uint32  `json:"una"`
	Nxt    *uint32  `json:"nxt"`
	INT    []hop    `json:"int"`
	Flows  uint16   `json:"flows"`
	Reason string   `json:"reason"`
	By     string   `json:"by"`
	Port   int32    `json:"port"`
	Fair   float64  `json:"fair"`
	Credit *int64   `json:"credit"`

	number int // in the file
}

type hop struct {
	Gbps float64 `json:"gbps"`
	TS   float64 `json:"ts"`
	Tx   float64 `json:"tx"`
	Q    float64 `json:"q"`
}

// fieldsOf are the fields that each event may have, besides those of all events.
var fieldsOf = map[string]string{
	"open": "cc set", "data": "size", "send": "n size psn", "nack": "psn reason ecn", "loss": "psn by",
	"ack": "acked n psn rtt sample ecn una nxt int flows", "cnp": "port fair",
	"credit": "credit", "timer": "", "state": "set",
}

const (
	eventNames   = "open, data, send, ack, nack, loss, cnp, credit, timer, state"
	commonFields = " ev t dt times every expect tol "
	maxTimes     = 1_000_000
)

// read returns the events of a file. Errors name the line.
func read(in io.Reader) (out []line, err error) {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		text := bytes.TrimSpace(sc.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		l, err := parse(text)
		if err == nil && l.Ev == "open" && len(out) > 0 {
			err = errors.New("open: only the first event can be one")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		l.number = n
		out = append(out, l)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("events: there are none; write one JSON object on each line")
	}
	return out, nil
}

// parse reads one event and refuses fields that it does not have.
func parse(text []byte) (l line, err error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return l, fmt.Errorf("not a JSON object: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var kind *json.UnmarshalTypeError
	if err := dec.Decode(&l); errors.As(err, &kind) {
		return l, fmt.Errorf("%s: %s is not what this field holds (goldwire golden step --help)", kind.Field, kind.Value)
	} else if err != nil {
		return l, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	may, ok := fieldsOf[l.Ev]
	if !ok {
		return l, fmt.Errorf("ev = %q: want one of %s", l.Ev, eventNames)
	}
	for k := range keys {
		if !strings.Contains(commonFields, " "+k+" ") && !strings.Contains(" "+may+" ", " "+k+" ") {
			return l, fmt.Errorf("%s: an event %s has no such field", k, l.Ev)
		}
	}
	switch {
	case keys["tol"] != nil && keys["expect"] == nil:
		return l, errors.New("tol: has no effect without expect")
	case l.T != nil && l.DT != nil:
		return l, errors.New("t and dt: give one of them")
	case l.DT != nil && *l.DT < 0, l.Every < 0, l.Tol < 0:
		return l, errors.New("dt, every and tol: want 0 or above")
	case l.Times != nil && (*l.Times < 1 || *l.Times > maxTimes):
		return l, fmt.Errorf("times = %d: want from 1 to %d", *l.Times, maxTimes)
	case l.N != nil && (*l.N < 0 || *l.N > maxTimes):
		return l, fmt.Errorf("n = %d: want from 0 to %d", *l.N, maxTimes)
	case l.Size != nil && (*l.Size < 1 || *l.Size > 1<<30):
		return l, fmt.Errorf("size = %d: want 1 to 2^30 bytes", *l.Size)
	case l.RTT != nil && !(*l.RTT > 0):
		return l, fmt.Errorf("rtt = %v: want above 0; sample: false leaves it out", *l.RTT)
	case l.RTT != nil && l.Sample != nil:
		return l, errors.New("rtt and sample: give one of them")
	case l.Acked != nil && l.N != nil:
		return l, errors.New("acked and n: give one of them")
	case keys["expect"] != nil && len(l.Expect) == 0:
		return l, errors.New("expect: names nothing")
	case l.Ev == "open" && (l.T != nil || l.DT != nil || l.Times != nil):
		return l, errors.New("open: it is at time 0, once")
	case l.Reason != "" && l.Reason != "trimmed" && l.Reason != "last_hop":
		return l, fmt.Errorf("reason = %q: want trimmed or last_hop", l.Reason)
	case l.By != "" && l.By != "timeout" && l.By != "hole":
		return l, fmt.Errorf("by = %q: want timeout or hole", l.By)
	}
	for _, h := range l.INT {
		if !(h.Gbps > 0) || h.TS < 0 || h.Tx < 0 || h.Q < 0 {
			return l, errors.New("int: want gbps above 0, and ts, tx and q of 0 or above")
		}
	}
	return l, nil
}
