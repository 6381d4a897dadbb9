package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/capture"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/loop"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// fabricPlan is a run with everything checked.
type fabricPlan struct {
	name, about string
	file        string // "" for a preset
	sets        []string
	spec        settings.Spec
	flows       []traffic.Message // of a file that lists them, in place of the workload
	ccs         []string
	seeds       []uint64
	loop        loop.Config
	rtl         bool    // some flow runs on nscc-rtl
	ports       []int32 // of their own in the depth series
	pcaps       []pcapPlan
	capture     capture.Spec // of their headers
}

type pcapPlan struct {
	link, file string
	ports      []int32
}

// fabricPlan reads and checks all that was asked for.
func (a *app) fabricPlan(cmd *cobra.Command, what string, f *fabricFlags) (*fabricPlan, error) {
	p := &fabricPlan{name: what, sets: f.sets}
	if ext := filepath.Ext(what); ext == ".yaml" || ext == ".yml" {
		s, err := presets.LoadScenario(what)
		if err != nil {
			return nil, err
		}
		p.file, p.spec, p.flows = what, s.Spec, s.Messages
	} else {
		preset, err := presets.Lookup(what)
		if err != nil {
			return nil, cli.Known("preset", what, presetNames(), "goldwire fabric list presets")
		}
		p.spec = preset.Spec
		if len(f.sets) == 0 {
			p.about = preset.About // what is set may make it untrue
		}
	}
	paths, err := applySets(&p.spec, f.sets)
	if err != nil {
		return nil, err
	}
	if err := f.conflicts(cmd.Flags().Changed, paths); err != nil {
		return nil, err
	}
	p.seeds = []uint64{p.spec.Seed}
	if cmd.Flags().Changed("seed") {
		p.seeds[0] = f.seed
	}
	if f.seeds != "" {
		if p.seeds, err = cli.ParseSeeds(f.seeds); err != nil {
			return nil, err
		}
	}
	if err := a.fabricControls(p, f); err != nil {
		return nil, err
	}
	if err := p.effective(paths); err != nil {
		return nil, fmt.Errorf("--set %w", err)
	}
	if err := settings.IneffectiveFlows(paths, p.flows); err != nil {
		return nil, fmt.Errorf("--set %w", err)
	}
	if p.spec.Rounds == 0 && p.spec.MaxTime == 0 && p.flows == nil {
		return nil, errors.New("flow.rounds = 0: nothing would end the run; set max_time.us, or flow.rounds")
	}
	if err := p.links(f); err != nil {
		return nil, err
	}
	if err := p.checkControls(); err != nil {
		return nil, err
	}
	return p, f.effective(cmd.Flags().Changed, p)
}

// checkControls refuses congestion controls that the network does not suit.
func (p *fabricPlan) checkControls() error {
	rows := ccRows()
	for i, name := range p.ccNames() {
		row, err := cc.Find(name, rows)
		if err != nil {
			return err
		}
		// Those of --cc are of no flow when all name their own; those of single hosts may send to
		// none that is slow, which the run knows.
		if i < len(p.ccs) && !p.allNamed() {
			if err := p.spec.CheckControl(row); err != nil {
				return err
			}
		}
		captured := i == 0 || i >= len(p.ccs) // the first of --cc, and those of single flows
		if len(p.pcaps) > 0 && captured && row.Needs.CNP > 0 {
			return fmt.Errorf("--pcap: cc = %s sends congestion notification packets, for which captures have no format; "+
				"leave out --pcap", name)
		}
	}
	return nil
}

// conflicts refuses flags that are empty, or that set what another sets too.
func (f *fabricFlags) conflicts(given func(string) bool, paths []string) error {
	for flag, value := range map[string]string{"seeds": f.seeds, "cc": strings.Join(f.ccs, ""), "rtl": f.rtl} {
		if given(flag) && value == "" {
			return fmt.Errorf("--%s: empty; give a value, or leave the flag out", flag)
		}
	}
	for _, x := range f.outputs() {
		if given(strings.TrimPrefix(x[0], "--")) && x[1] == "" {
			return fmt.Errorf("%s: empty file name; give a path, or leave the flag out", x[0])
		}
	}
	both := [][2]string{{"seed", "seeds"}}
	for _, path := range paths {
		switch path {
		case "seed":
			both = append(both, [2]string{"set seed", "seed"}, [2]string{"set seed", "seeds"})
		case "cc":
			both = append(both, [2]string{"set cc", "cc"})
		}
	}
	for _, b := range both {
		if (strings.HasPrefix(b[0], "set ") || given(b[0])) && given(b[1]) {
			return fmt.Errorf("--%s and --%s: both given; keep one", b[0], b[1])
		}
	}
	return nil
}

// effective refuses flags that change nothing.
func (f *fabricFlags) effective(given func(string) bool, p *fabricPlan) error {
	hardware := p.rtl || slices.Contains(p.ccNames(), loop.Fixed)
	switch {
	case f.every < time.Nanosecond:
		return fmt.Errorf("--every %v: give 1ns or more", f.every)
	case given("cc") && p.allNamed():
		return errors.New("--cc: has no effect: every flow of the file names its cc")
	case given("tick") && !hardware:
		return fmt.Errorf("--tick: has no effect: no flow runs on %s or %s; add one to --cc", loop.Fixed, loop.RTL)
	case given("rtl") && !p.rtl:
		return fmt.Errorf("--rtl: has no effect: no flow runs on %s; add it to --cc", loop.RTL)
	}
	for _, flag := range []string{"port", "every"} {
		if given(flag) && f.depth == "" && f.html == "" {
			return fmt.Errorf("--%s: has no effect: nothing shows the queues over time; add --depth or --html", flag)
		}
	}
	for _, flag := range []string{"pcap-udp-port", "pcap-dscp"} {
		if given(flag) && len(f.pcaps) == 0 {
			return fmt.Errorf("--%s: has no effect: nothing is captured; add --pcap", flag)
		}
	}
	return nil
}

// effective refuses settings that change nothing under any of the congestion
// controls.
func (p *fabricPlan) effective(paths []string) (err error) {
	for _, cc := range p.ccs {
		s := p.spec
		s.CC = cc
		if err = s.Ineffective(paths, p.flows != nil); err == nil {
			return nil
		}
	}
	return err
}

// links finds the ports and links that flags name.
func (p *fabricPlan) links(f *fabricFlags) error {
	layout, err := p.spec.Layout()
	if err != nil {
		return err
	}
	for _, name := range f.ports {
		port, err := layout.FindPort(name)
		if err != nil {
			return fmt.Errorf("--port: %w%s", err, nearLinks(layout, name, true))
		}
		if slices.Contains(p.ports, port) {
			return fmt.Errorf("--port %s: given twice; keep one", name)
		}
		p.ports = append(p.ports, port)
	}
	p.capture = capture.DefaultSpec()
	p.capture.UDPPort = f.udpPort
	for _, arg := range f.dscps {
		if err := p.capture.DSCP.Set(arg); err != nil {
			return fmt.Errorf("--pcap-dscp: %w", err)
		}
	}
	if err := p.capture.Validate(); err != nil {
		return fmt.Errorf("--pcap-udp-port, --pcap-dscp: %w", err)
	}
	if err := distinctDSCP(f.dscps, p.capture.DSCP); err != nil {
		return err
	}
	for _, arg := range f.pcaps {
		link, file, ok := strings.Cut(arg, "=")
		if !ok || link == "" || file == "" {
			return fmt.Errorf("--pcap %q: give LINK=FILE, such as host0-tor0=link.pcapng", arg)
		}
		ports, err := capture.Ports(layout, link)
		if err != nil {
			return fmt.Errorf("--pcap: %w%s", err, nearLinks(layout, link, strings.Contains(link, "->")))
		}
		p.pcaps = append(p.pcaps, pcapPlan{link, file, ports})
	}
	return nil
}

// distinctDSCP refuses a codepoint given twice, or one that is another class's too: a
// capture could not tell the two apart.
func distinctDSCP(args []string, d capture.DSCP) error {
	value := map[string]uint8{"control": d.Control, "trimmable": d.Trimmable, "trimmed": d.Trimmed,
		"trimmed_last_hop": d.TrimmedLastHop, "apart": d.Apart, "plain": d.Plain}
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
			if other != name && value[other] == value[name] {
				return fmt.Errorf("--pcap-dscp: %s = %d is the codepoint of %s too; give two", name, value[name], other)
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

// applySets changes the spec, checks the whole and returns the paths; it names the
// setting that makes it impossible, when one alone does.
func applySets(spec *settings.Spec, sets []string) (paths []string, err error) {
	for _, arg := range sets {
		path, _, _ := strings.Cut(arg, "=")
		if slices.Contains(paths, path) {
			return nil, fmt.Errorf("--set %s: given twice; keep one", path)
		}
		paths = append(paths, path)
	}
	apply := func(s *settings.Spec, skip int) error {
		for i, arg := range sets {
			path, value, ok := strings.Cut(arg, "=")
			switch {
			case !ok || path == "":
				return fmt.Errorf("--set %q: give PATH=VALUE, such as link.gbps=800", arg)
			case i != skip:
				if err := s.Set(path, value); err != nil {
					return fmt.Errorf("--set %w", err)
				}
			}
		}
		return nil
	}
	check := func(s settings.Spec) error {
		if err := s.Validate(); err != nil {
			return err
		}
		_, err := s.Layout()
		return err
	}
	base := *spec
	if err := apply(spec, -1); err != nil {
		return nil, err
	}
	// A topology of a file is known once it is loaded.
	if spec.Topology == settings.CustomFile {
		g, err := spec.Network()
		if err != nil {
			return nil, fmt.Errorf("topology.file: %w", err)
		}
		spec.Graph = g
	}
	if err = check(*spec); err == nil {
		return paths, nil
	}
	for i, arg := range sets {
		without := base
		if apply(&without, i) == nil && check(without) == nil {
			return nil, fmt.Errorf("--set %s: %w", arg, err)
		}
	}
	return nil, err
}

// fabricControls reads --cc and what nscc-fixed and nscc-rtl need.
func (a *app) fabricControls(p *fabricPlan, f *fabricFlags) error {
	p.ccs = f.ccs
	if len(p.ccs) == 0 {
		p.ccs = []string{p.spec.CC}
		if p.spec.CC == "" {
			p.ccs[0] = "nscc"
		}
	}
	names := p.ccNames()
	p.rtl = slices.Contains(names, loop.RTL)
	for i, n := range names {
		if err := cli.Known("congestion control", n, ccNames(), "goldwire fabric list cc"); err != nil {
			return p.origin(n, err)
		}
		if i < len(p.ccs) && slices.Contains(p.ccs[:i], n) {
			return fmt.Errorf("--cc %s: given twice; keep one", n)
		}
	}
	tick, err := cli.ParseTick(f.tick)
	if err != nil {
		return err
	}
	p.loop.TickNs = int(tick / 1000)
	if f.rtl != "" {
		if st, err := os.Stat(f.rtl); err != nil || !st.IsDir() {
			return fmt.Errorf("rtl folder %s: no such folder; give a copy of hdl/rtl", f.rtl)
		}
		p.loop.RTLDir = f.rtl
	}
	p.loop.Root, err = a.Repository()
	if err != nil && p.rtl {
		return err
	}
	return nil
}

// origin adds where an unknown congestion control is named.
func (p *fabricPlan) origin(name string, err error) error {
	where := ""
	for path, m := range map[string]map[int32]string{"cc.hosts": p.spec.CCHosts, "cc.contexts": p.spec.CCContexts} {
		if slices.Contains(slices.Collect(maps.Values(m)), name) {
			where = path
		}
	}
	if i := slices.IndexFunc(p.flows, func(m traffic.Message) bool { return m.CC == name }); i >= 0 {
		where = fmt.Sprintf("flows[%d].cc", i)
	} else if where == "" && p.spec.CC == name {
		where = "cc"
	}
	switch {
	case where == "":
		return err
	case p.file != "":
		return fmt.Errorf("%s: %s: %w", p.file, where, err)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// allNamed reports whether every flow of the file names its congestion control.
func (p *fabricPlan) allNamed() bool {
	return p.flows != nil && !slices.ContainsFunc(p.flows, func(m traffic.Message) bool { return m.CC == "" })
}

// ccNames returns the congestion controls of --cc, then all others that the spec
// or a flow names.
func (p *fabricPlan) ccNames() []string {
	var others []string
	for _, m := range []map[int32]string{p.spec.CCHosts, p.spec.CCContexts} {
		for _, n := range m {
			others = append(others, n)
		}
	}
	for i := range p.flows {
		if n := p.flows[i].CC; n != "" {
			others = append(others, n)
		}
	}
	slices.Sort(others)
	return append(slices.Clone(p.ccs), slices.Compact(others)...)
}
