package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/loop"
)

// fabricPlan reads and checks everything that the command line requests.
func (a *app) fabricPlan(cmd *cobra.Command, what string, f *fabricFlags) (*fabricplan.Plan, error) {
	changed := cmd.Flags().Changed
	p, err := fabricplan.Load(what, f.sets)
	if err != nil {
		return nil, err
	}
	if err := f.conflicts(changed, p.Paths); err != nil {
		return nil, err
	}
	r := &fabricplan.Request{CCs: f.ccs, RTLDir: f.rtl, Root: a.Repository, Ports: f.ports, Captures: f.pcaps,
		DSCPs: f.dscps, UDPPort: f.udpPort}
	switch {
	case f.seeds != "":
		if r.Seeds, err = cli.ParseSeeds(f.seeds); err != nil {
			return nil, err
		}
	case changed("seed"):
		r.Seeds = []uint64{f.seed}
	}
	tick, err := cli.ParseTick(f.tick)
	if err != nil {
		return nil, err
	}
	r.TickNs = int(tick / 1000)
	if err := p.Complete(r); err != nil {
		return nil, err
	}
	p.Loop.Step = f.step
	if err := f.effective(changed, p); err != nil {
		return nil, err
	}
	if err := p.CheckFlows(cmd.Context(), f.flows); err != nil {
		return nil, fmt.Errorf("--flow: %w", err)
	}
	return p, nil
}

// conflicts refuses flags that are empty or that set the same thing as another.
func (f *fabricFlags) conflicts(given func(string) bool, paths []string) error {
	for flag, value := range map[string]string{"seeds": f.seeds, "cc": strings.Join(f.ccs, ""), "rtl": f.rtl} {
		if given(flag) && value == "" {
			return fmt.Errorf("--%s: empty; give a value, or leave the flag out", flag)
		}
	}
	for _, x := range f.outputs() {
		if given(strings.TrimPrefix(x.Flag, "--")) && x.Path == "" {
			return fmt.Errorf("%s: empty file name; give a path, or leave the flag out", x.Flag)
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

// divided refuses threads without pods, and outputs that pods running in parallel cannot provide.
func (f *fabricFlags) divided(given func(string) bool, p *fabricplan.Plan) error {
	switch {
	case f.threads < 0:
		return fmt.Errorf("--threads %d: give 0 or more", f.threads)
	case given("threads") && !p.Spec.Pods:
		return errors.New("--threads: has no effect without --set pods=on; add it, or leave --threads out")
	}
	for _, flag := range []string{"depth", "series", "html", "pcap"} {
		if given(flag) && p.Spec.Pods {
			return fmt.Errorf("--%s: needs the events of all pods in one order, which pods=on does not keep; "+
				"leave it out, or set pods to off", flag)
		}
	}
	return nil
}

// effective refuses flags that change nothing.
func (f *fabricFlags) effective(given func(string) bool, p *fabricplan.Plan) error {
	if err := f.divided(given, p); err != nil {
		return err
	}
	hardware := p.RTL || slices.Contains(p.Controls(), loop.Fixed)
	switch {
	case f.every < time.Nanosecond:
		return fmt.Errorf("--every %v: give 1ns or more", f.every)
	case given("cc") && p.AllNamed():
		return errors.New("--cc: has no effect: every flow of the file names its cc")
	case given("tick") && !hardware:
		return fmt.Errorf("--tick: has no effect: no flow runs on %s or %s; add one to --cc", loop.Fixed, loop.RTL)
	case given("step") && !p.RTL:
		return fmt.Errorf("--step: has no effect: no flow runs on %s; add it to --cc", loop.RTL)
	case given("rtl") && !p.RTL:
		return fmt.Errorf("--rtl: has no effect: no flow runs on %s; add it to --cc", loop.RTL)
	}
	for _, flag := range []string{"port", "every"} {
		if given(flag) && f.depth == "" && f.html == "" && f.series == "" {
			return fmt.Errorf("--%s: has no effect: nothing shows the queues over time; add --depth, --series or --html", flag)
		}
	}
	switch {
	case given("flow") && f.series == "" && f.html == "":
		return errors.New("--flow: has no effect: nothing shows flows over time; add --series or --html")
	case f.series != "" && len(f.flows)+len(f.ports) == 0:
		return errors.New("--series: nothing to write: name flows with --flow or ports with --port")
	}
	if i := slices.IndexFunc(f.flows, func(n int32) bool { return n < 0 }); i >= 0 {
		return fmt.Errorf("--flow %d: give 0 or more", f.flows[i])
	}
	for i, n := range f.flows {
		if slices.Contains(f.flows[:i], n) {
			return fmt.Errorf("--flow %d: given twice; keep one", n)
		}
	}
	for _, flag := range []string{"pcap-udp-port", "pcap-dscp", "pcap-dissector"} {
		if given(flag) && len(f.pcaps) == 0 {
			return fmt.Errorf("--%s: has no effect: nothing is captured; add --pcap", flag)
		}
	}
	return nil
}
