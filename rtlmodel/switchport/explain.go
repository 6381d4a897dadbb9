package switchport

import (
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
)

// explainer composes what the blocks inside tell. Rules of an inner block have its name in front, such as
// egress/grants/ecn.
type explainer struct {
	tell  func(*event.Decision) // nil: nobody asks
	asked []bool                // events that egress has taken and not decided: whether they are requests
	sizes []*event.Decision     // requests that egress has not decided: their trimmed size, nil if none is worked out
	cuts  []*event.Decision     // packets that left the trimmer and not intmd
	cut   *event.Decision       // the packet that leaves intmd
}

// Explain has tell called with how each response is decided from now on; nil ends it. Call it when the block is empty.
func (m *Model) Explain(tell func(*event.Decision)) {
	m.why = explainer{tell: tell}
	if tell == nil {
		m.egress.Explain(nil)
		m.trimmer.Explain(nil)
		m.intmd.Explain(nil)
		return
	}
	m.egress.Explain(m.why.ofEgress)
	m.trimmer.Explain(m.why.ofTrimmer)
	m.intmd.Explain(m.why.ofIntmd)
}

// reset forgets what is on its way.
func (x *explainer) reset() { x.asked, x.sizes, x.cuts, x.cut = nil, nil, nil, nil }

// offered notes an event that egress takes.
func (x *explainer) offered(request bool) {
	if x.tell != nil {
		x.asked = append(x.asked, request)
	}
}

// sized notes how the trimmed size of a request follows from the first bytes of its packet, which is f bytes long.
func (x *explainer) sized(cfg *trimmer.Config, head []byte, f int) {
	if x.tell != nil {
		x.sizes = append(x.sizes, trimmer.ExplainSize(cfg, head, f))
	}
}

// unsized notes a request without a trimmed size: its packet is too long.
func (x *explainer) unsized() {
	if x.tell != nil {
		x.sizes = append(x.sizes, nil)
	}
}

// accessed tells the response to a cfg event, which its block gives.
func (x *explainer) accessed() {
	if x.tell != nil {
		d := event.NewDecision("cfgr")
		d.From("timing/cfg", "target", "kind", "port", "refused", "data")
		x.tell(d)
	}
}

// ofEgress passes on how a verdict and a grant are decided. Each request has one note, each grant one answer.
func (x *explainer) ofEgress(d *event.Decision) {
	out := event.NewDecision("gr")
	if d.Stream == "enqr" {
		request := x.asked[0]
		if x.asked = x.asked[1:]; !request {
			return
		}
		out = event.NewDecision("note")
		if size := x.sizes[0]; size != nil {
			within(out, "trimmer", size)
		}
		x.sizes = x.sizes[1:]
	}
	within(out, "egress", d)
	x.tell(out)
}

// ofTrimmer keeps how a packet was cut for its beats at tx.
func (x *explainer) ofTrimmer(d *event.Decision) {
	if d.Stream == "tx" && beat(d) == 0 {
		d.Steps = slices.DeleteFunc(d.Steps, isBeat)
		x.cuts = append(x.cuts, d)
	}
}

// ofIntmd tells of a beat how its packet was cut, and what was put into it.
func (x *explainer) ofIntmd(d *event.Decision) {
	if d.Stream != "tx" {
		return
	}
	if beat(d) == 0 {
		x.cut, x.cuts = x.cuts[0], x.cuts[1:]
	}
	out := event.NewDecision("tx")
	within(out, "trimmer", x.cut)
	within(out, "intmd", d)
	x.tell(out)
}

// within adds the steps of an inner block.
func within(out *event.Decision, block string, d *event.Decision) {
	for _, s := range d.Steps {
		s.Rule = block + "/" + s.Rule
		out.Steps = append(out.Steps, s)
	}
	if d.Doubt != "" {
		out.Doubt = block + ": " + d.Doubt
	}
}

// beat returns the number of a beat in its packet.
func beat(d *event.Decision) uint64 { return d.Steps[slices.IndexFunc(d.Steps, isBeat)].Value.Uint64() }

func isBeat(s event.Step) bool { return s.Name == "beat" }
