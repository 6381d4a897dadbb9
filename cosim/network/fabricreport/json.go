package fabricreport

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// Document is the JSON document: the figures of the first congestion control and, if there are several, all of them
// side by side.
type Document struct {
	Name  string   `json:"name"`
	CC    string   `json:"cc"`
	Seed  *uint64  `json:"seed,omitempty"` // if there is only one
	Seeds []uint64 `json:"seeds"`
	result.Summary
	Digests []string               `json:"digests"` // one for each seed
	Books   []string               `json:"books"`   // what did not balance
	Metrics []report.SectionMetric `json:"metrics"`
	Compare *Comparison            `json:"compare,omitempty"`
	Devices []Device               `json:"devices,omitempty"` // one for each control, seed and block
	Depth   *net.DepthSeries       `json:"depth,omitempty"`
	// Spec is that of the first seed. Its workload is "flows" if a file lists them.
	Spec      settings.Spec `json:"spec"`
	Effective Effective     `json:"effective"`
}

// Effective holds the values that the run derived because the spec leaves them open. With per_flow_rtt, or links of
// several rates, flows may have other values.
type Effective struct {
	Hosts     int     `json:"hosts"`
	BaseRTTUs float64 `json:"base_rtt_us"`
	BDPBytes  int64   `json:"bdp_bytes"`
	RTOUs     float64 `json:"rto_us"`
	LB        string  `json:"lb"`
}

// derived returns the values that follow from the plan's spec. Unlike results, the plan has the graph of a topology
// file.
func derived(p *fabricplan.Plan) Effective {
	s := &p.Spec
	e := Effective{Hosts: s.Hosts(), BaseRTTUs: float64(s.EffectiveBaseRTT()) / 1e6, BDPBytes: s.BDP(),
		RTOUs: float64(s.EffectiveRTO()) / 1e6, LB: string(cmp.Or(s.LB, lb.Oblivious))}
	if settings.IneffectiveFlows([]string{"lb"}, p.Flows) != nil {
		e.LB = "of each flow"
	}
	return e
}

// Comparison is several congestion controls side by side.
type Comparison struct {
	CC        []string         `json:"cc"`
	Summaries []result.Summary `json:"summaries"` // in the order of cc
	Digests   [][]string       `json:"digests"`
	Agree     *bool            `json:"fixed_equals_rtl,omitempty"`
	Differ    string           `json:"difference,omitempty"`
	Flows     []Flow           `json:"flows"`
}

// Device is the activity of a device in one run.
type Device struct {
	CC     string `json:"cc"`
	Block  string `json:"block"`
	Seed   uint64 `json:"seed"`
	Events uint64 `json:"events"` // of block ccc; pulls of block credit
	Cycles uint64 `json:"cycles"`
	Step   bool   `json:"step"`           // event by event, instead of with a network that runs ahead
	Left   string `json:"left,omitempty"` // where the design left the model, for block ccc the reason for Step
}

// played returns the activity of the devices of all runs.
func (r *Report) played() (out []Device) {
	for _, o := range r.All {
		for i := range min(len(o.Played), len(o.Runs)) {
			for _, p := range o.Played[i].Devices() {
				if p.Cycles == 0 {
					continue
				}
				d := Device{CC: o.CC, Block: p.Block, Seed: o.Runs[i].Spec.Seed, Events: p.Count, Cycles: p.Cycles, Step: p.Step}
				if p.Left != nil {
					d.Left = p.Left.String()
				}
				out = append(out, d)
			}
		}
	}
	return out
}

// Flow is one flow under each congestion control. A time is null if the flow did not finish.
type Flow struct {
	Seed  uint64     `json:"seed"`
	Flow  int32      `json:"flow"`
	Src   int32      `json:"src"`
	Dst   int32      `json:"dst"`
	Bytes int64      `json:"bytes"`
	FCT   []*float64 `json:"fct_us"`
}

func digests(o *Outcome) (out []string) {
	for _, r := range o.Runs {
		out = append(out, fmt.Sprintf("%016x", r.Digest))
	}
	return out
}

// compare returns nil if only one congestion control ran.
func (r *Report) compare() *Comparison {
	if len(r.All) < 2 {
		return nil
	}
	c := &Comparison{}
	c.Agree, c.Differ = r.agree()
	for _, o := range r.All {
		c.CC = append(c.CC, o.CC)
		c.Summaries = append(c.Summaries, o.Summary)
		c.Digests = append(c.Digests, digests(o))
	}
	for i, run := range r.All[0].Runs {
		for k := range run.Flows {
			f := &run.Flows[k]
			row := Flow{Seed: run.Spec.Seed, Flow: f.ID, Src: f.Src, Dst: f.Dst, Bytes: f.Bytes}
			for _, o := range r.All {
				var t *float64
				if i < len(o.Runs) && k < len(o.Runs[i].Flows) {
					if g := &o.Runs[i].Flows[k]; g.Acked >= 0 {
						v := float64(g.Acked-g.Start) / 1e6
						t = &v
					}
				}
				row.FCT = append(row.FCT, t)
			}
			c.Flows = append(c.Flows, row)
		}
	}
	return c
}

// WriteJSON writes the figures of the first congestion control, all of them side by side if there are several, and the
// metrics that decide the verdict.
func (r *Report) WriteJSON(w io.Writer) error {
	if len(r.All) == 0 || len(r.All[0].Runs) == 0 {
		return errors.New("json report: nothing was simulated")
	}
	o := r.All[0]
	d := Document{Name: r.Plan.Name, CC: o.CC, Seeds: r.Plan.Seeds, Summary: o.Summary, Digests: digests(o),
		Books: report.NotNull(r.books), Metrics: report.Figures(r.bounded()),
		Compare: r.compare(), Devices: r.played(), Depth: o.Runs[0].Depth, Spec: o.Runs[0].Spec, Effective: derived(r.Plan)}
	if r.Plan.Flows != nil {
		d.Spec.Workload = "flows"
	}
	if len(r.Plan.Seeds) == 1 {
		d.Seed = &r.Plan.Seeds[0]
	}
	return report.EncodeJSON(w, d)
}
