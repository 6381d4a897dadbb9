package casefile

import (
	"fmt"
	"maps"
	"strings"
)

// read is the expected result of a read of a register or state word.
type read struct {
	at     string
	name   string
	fields map[string]uint64 // of the reading event, besides its address
	want   uint64
}

// reads takes a line of values that reads must find: "found" is about the last read before the line, "final" about the
// last read of the whole episode.
func (w *writer) reads(at string, words []string, scope func(string) (string, bool)) {
	if len(w.lang.Answers) == 0 {
		fail("%s: expectations are not allowed here", words[0])
	}
	fields := map[string]uint64{}
	for _, x := range words[1:] {
		name, text, ok := strings.Cut(x, "=")
		if !ok {
			fail("%q: want name=value", x)
		}
		if _, is := address(w.lang.Block, name); !is {
			port, _ := w.port("READ")
			if port == nil {
				fail("no stream has a kind READ")
			}
			fields[name] = w.value(port, name, text, scope)
			continue
		}
		v := must(number(text, scope))
		r := read{at: fmt.Sprintf("%s (%s)", at, name), name: name, fields: fields, want: v}
		if words[0] == "final" {
			w.judge.finals = append(w.judge.finals, r)
		} else if !w.judge.resolve(&r) {
			fail("%s: no earlier line reads it", name)
		}
	}
}

// resolve turns an expected read into a demand on the last such read of the script so far. It returns false if there is
// none.
func (j *Judge) resolve(r *read) bool {
	addr, _ := address(j.lang.Block, r.name)
	kind := "READ"
	if j.lang.Block.Register(r.name) != nil {
		kind = "CFG_READ"
	}
	w := writer{lang: j.lang}
	port, want := w.port(kind)
	if port == nil {
		return false
	}
	want["addr"] = addr
	maps.Copy(want, r.fields)
	answers := j.lang.Answers[port.Name]
next:
	for i := j.script.Used - 1; i >= 0; i-- {
		it := &j.script.Items[i]
		if it.Lane != port.Lane {
			continue
		}
		for name, v := range want {
			if slotOf(port, name).Get(it.Words) != v {
				continue next
			}
		}
		j.demands = append(j.demands, demand{at: r.at, item: i, stream: j.out(answers),
			fields: []fieldDemand{{slot: j.lang.lay.Out.Slot(answers, "data"), want: r.want, mask: ^uint64(0)}}})
		return true
	}
	return false
}
