package fabricplan

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
)

// links finds the ports and links that flags name.
func (p *Plan) links(r *Request) error {
	layout, err := p.Spec.Layout()
	if err != nil {
		return err
	}
	for _, name := range r.Ports {
		port, err := layout.FindPort(name)
		if err != nil {
			return fmt.Errorf("--port: %w%s", err, nearLinks(layout, name, true))
		}
		if slices.Contains(p.Ports, port) {
			return fmt.Errorf("--port %s: given twice; keep one", name)
		}
		p.Ports = append(p.Ports, port)
	}
	p.Headers = capture.DefaultSpec()
	p.Headers.UDPPort = r.UDPPort
	for _, arg := range r.DSCPs {
		if err := p.Headers.DSCP.Set(arg); err != nil {
			return fmt.Errorf("--pcap-dscp: %w", err)
		}
	}
	if err := p.Headers.Validate(); err != nil {
		return fmt.Errorf("--pcap-udp-port, --pcap-dscp: %w", err)
	}
	if err := distinctDSCP(r.DSCPs, p.Headers.DSCP); err != nil {
		return err
	}
	for _, arg := range r.Captures {
		link, file, ok := strings.Cut(arg, "=")
		if !ok || link == "" || file == "" {
			return fmt.Errorf("--pcap %q: give LINK=FILE, such as host0-tor0=link.pcapng", arg)
		}
		ports, err := capture.Ports(layout, link)
		if err != nil {
			return fmt.Errorf("--pcap: %w%s", err, nearLinks(layout, link, strings.Contains(link, "->")))
		}
		p.Captures = append(p.Captures, Capture{link, file, ports})
	}
	return nil
}

// distinctDSCP refuses a codepoint given twice, or one that is another class's too: a
// capture could not tell the two apart.
func distinctDSCP(args []string, d capture.DSCP) error {
	seen := map[string]bool{}
	for _, item := range strings.Split(strings.Join(args, ","), ",") {
		name, _, _ := strings.Cut(item, "=")
		if name == "" {
			continue
		}
		if seen[name] {
			return fmt.Errorf("--pcap-dscp: %s is given twice; keep one", name)
		}
		seen[name] = true
		for _, other := range capture.DSCPNames() {
			if other != name && d.Value(other) == d.Value(name) {
				return fmt.Errorf("--pcap-dscp: %s = %d is the codepoint of %s too; give two", name, d.Value(name), other)
			}
		}
	}
	return nil
}

// nearLinks lists the links, or the ports, with the names nearest to one that does
// not exist.
func nearLinks(layout *topo.Net, name string, ports bool) string {
	type candidate struct {
		name  string
		edits int
	}
	var all []candidate
	add := func(x string) { all = append(all, candidate{x, near.Distance(name, x)}) }
	if ports {
		for i := range layout.Ports {
			add(layout.Name(int32(i)))
		}
	} else {
		for i, l := range layout.Links {
			a, b := layout.Names[l.A], layout.Names[l.B]
			if near.Distance(name, b+"-"+a) < near.Distance(name, a+"-"+b) {
				a, b = b, a
			}
			add(a + "-" + b + layout.Which(int32(i)))
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.edits, b.edits) })
	var names []string
	for _, n := range all[:min(len(all), 4)] {
		names = append(names, n.name)
	}
	return "; near it: " + strings.Join(names, ", ")
}

// CheckFlows errors if the run cannot have one of the flows, by number. It asks the simulator, which makes the workload
// and stops before the first packet; an error of the workload is left to the run.
func (p *Plan) CheckFlows(ctx context.Context, flows []int32) error {
	if len(flows) == 0 {
		return nil
	}
	spec := p.Spec
	spec.MaxTime, spec.CC, spec.CCHosts, spec.CCContexts = 1, "", nil, nil // the controls do not change the flows
	var options []fabric.Option
	if p.Flows != nil {
		list := slices.Clone(p.Flows)
		for i := range list {
			list[i].CC = ""
		}
		options = append(options, fabric.WithMessages(list))
	}
	res, err := fabric.Run(ctx, spec, options...)
	if err != nil {
		return ctx.Err()
	}
	n := len(res.Flows)
	if w := spec.Workload; p.Flows == nil && (w == settings.Permutation || w == settings.Incast) {
		if spec.Rounds == 0 {
			return nil // a flow follows the other until the run ends
		}
		n *= spec.Rounds
	}
	for _, f := range flows {
		if int(f) >= n {
			return fmt.Errorf("flow %d: there are flows 0 to %d", f, n-1)
		}
	}
	return nil
}
