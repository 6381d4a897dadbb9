package fabricplan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// Rows returns the congestion controls that a run can name, in alphabetical order.
func Rows() []cc.Row {
	rows := append(cc.Rows(), loop.Rows()...)
	slices.SortFunc(rows, func(a, b cc.Row) int { return strings.Compare(a.Name, b.Name) })
	return rows
}

// controls checks the congestion controls, and sets what those in hardware need.
func (p *Plan) controls(r *Request) (err error) {
	if p.CCs = r.CCs; len(p.CCs) == 0 {
		p.CCs = []string{cmp.Or(p.Spec.CC, "nscc")}
	}
	names := p.Controls()
	p.RTL = slices.ContainsFunc(names, func(n string) bool { return len(loop.On(n)) > 0 })
	for i, n := range names {
		if err := near.Known("congestion control", n, cc.Names(Rows()), "goldwire fabric list cc"); err != nil {
			return p.origin(n, err)
		}
		if i < len(p.CCs) && slices.Contains(p.CCs[:i], n) {
			return fmt.Errorf("--cc %s: given twice; keep one", n)
		}
	}
	p.Loop.TickNs = r.TickNs
	if r.RTLDir != "" {
		if _, err := launch.ReadRTL(r.RTLDir); err != nil {
			return err
		}
		p.Loop.RTLDir = r.RTLDir
	}
	if p.RTL {
		p.Loop.Root, err = r.Root()
	}
	return err
}

// checkControls refuses congestion controls that the network does not suit.
func (p *Plan) checkControls() error {
	rows := Rows()
	for i, name := range p.Controls() {
		row, err := cc.Find(name, rows)
		if err != nil {
			return err
		}
		// A control of --cc has no flow when all flows name their own. Whether one of single hosts sends to a slow host
		// only the run knows.
		if i < len(p.CCs) && !p.AllNamed() {
			if err := p.Spec.CheckControl(row); err != nil {
				return err
			}
		}
		captured := i == 0 || i >= len(p.CCs) // the first of --cc, and those of single flows
		if len(p.Captures) > 0 && captured && row.Needs.SwitchRate {
			return fmt.Errorf("--pcap: cc = %s has rates sent by switches, for which captures have no format; "+
				"leave out --pcap", name)
		}
	}
	return nil
}

// origin adds where an unknown congestion control is named.
func (p *Plan) origin(name string, err error) error {
	where := ""
	for path, m := range map[string]map[int32]string{"cc.hosts": p.Spec.CCHosts, "cc.contexts": p.Spec.CCContexts} {
		if slices.Contains(slices.Collect(maps.Values(m)), name) {
			where = path
		}
	}
	if i := slices.IndexFunc(p.Flows, func(m traffic.Message) bool { return m.CC == name }); i >= 0 {
		where = fmt.Sprintf("flows[%d].cc", i)
	} else if where == "" && p.Spec.CC == name {
		where = "cc"
	}
	switch {
	case where == "":
		return err
	case p.File != "":
		return fmt.Errorf("%s: %s: %w", p.File, where, err)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// AllNamed reports whether every flow of the file names its congestion control.
func (p *Plan) AllNamed() bool {
	return p.Flows != nil && !slices.ContainsFunc(p.Flows, func(m traffic.Message) bool { return m.CC == "" })
}

// Controls returns the congestion controls of --cc, then all others that the spec
// or a flow names.
func (p *Plan) Controls() []string {
	others := slices.AppendSeq(slices.Collect(maps.Values(p.Spec.CCHosts)), maps.Values(p.Spec.CCContexts))
	for i := range p.Flows {
		if n := p.Flows[i].CC; n != "" {
			others = append(others, n)
		}
	}
	slices.Sort(others)
	return append(slices.Clone(p.CCs), slices.Compact(others)...)
}
