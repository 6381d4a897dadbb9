package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/goldwire/goldwire/cosim/report"
)

// Loop is a network with hardware in it. Bytes is the size of its flows, OtherBytes that of those of the run that it is
// compared with.
type Loop struct {
	Preset            string
	Name              string // of its figures
	NIC               bool   // its hosts are NICs; else its senders are on the RTL
	Set               []string
	Bytes, OtherBytes int
	Bound             float64 // least events per second of processor time; 0 for none
	Rounds            int
}

// loopBound is the least number of events that the loop plays in a second of processor time.
const loopBound = 400_000

// Loops returns what is measured of the loop: a permutation, whose 128 contexts fill the pipeline, and an incast, whose
// 32 do not; and NICs, of which each cycle is played, most of them for beats of payload or in rests. The flows are so
// long that the start of the processes is a few percent.
func Loops() []Loop {
	nics := []string{"k=4", "mtu=8256", "lb=oblivious"}
	return []Loop{
		{Preset: "fattree128/permutation", Name: "loop", Bytes: 40_000_000, OtherBytes: 1_000_000, Bound: loopBound,
			Rounds: 5},
		{Preset: "fattree128/incast32", Name: "loop_incast", Bytes: 80_000_000, OtherBytes: 1_000_000, Bound: loopBound,
			Rounds: 5},
		{Preset: "fattree128/permutation", Name: "loop_nic", NIC: true, Set: nics, Bytes: 4_000_000,
			OtherBytes: 40_000_000, Rounds: 3},
		{Preset: "fattree128/incast32", Name: "loop_nic_incast", NIC: true, Set: append(nics, "incast=8"),
			Bytes: 1_000_000, OtherBytes: 40_000_000, Rounds: 3},
	}
}

// loopWarm is the size of the flows of the run before the measured ones, which builds the RTL.
const loopWarm = 9000

// loopRun is one way to run a loop.
type loopRun struct {
	cc     string
	bytes  int
	device bool // plays
	step   bool
}

// runs returns the run that is measured and the one that it is compared with, and the names and descriptions of their
// figures and of their ratio.
func (l *Loop) runs() (runs [2]loopRun, figures [3][2]string) {
	if l.NIC {
		return [2]loopRun{{cc: "nscc-nic", bytes: l.Bytes, device: true}, {cc: "nscc-nicmodel", bytes: l.OtherBytes}},
			[3][2]string{{"_events_per_cpu_s", "events of nscc-nic per second of processor time, network and device, "},
				{"_model_events_per_cpu_s", "the same of nscc-nicmodel, "}, {"_vs_model", "the one against the other, "}}
	}
	return [2]loopRun{{cc: "nscc-rtl", bytes: l.Bytes, device: true},
			{cc: "nscc-rtl", bytes: l.OtherBytes, device: true, step: true}},
		[3][2]string{{"_events_per_cpu_s", "events of nscc-rtl per second of processor time, network and device, "},
			{"_step_events_per_cpu_s", "the same step by step, "}, {"_ahead_vs_step", "the one against the other, "}}
}

// RunLoop runs each network in processes of its own, program fabric run PRESET, and returns the events of congestion
// control per second of processor time of the program and the device together, from their starts to their ends: of the
// network with the RTL in it, of the run it is compared with, and their ratio. Both are run in alternation. It errors
// when a child does, a flow does not finish, or a run was not made as it was to be.
func RunLoop(ctx context.Context, program string, loops []Loop,
	log func(format string, args ...any)) ([]Metric, error) {
	var out []Metric
	for i := range loops {
		l := &loops[i]
		runs, figures := l.runs()
		warm := runs[0]
		warm.bytes = loopWarm
		if _, err := l.child(ctx, program, warm); err != nil {
			return nil, fmt.Errorf("bench: loop of %s: %w", l.Preset, err)
		}
		var samples [3][]float64
		for r := range l.Rounds {
			if log != nil {
				log("loop: %s, %s, round %d of %d", l.Preset, runs[0].cc, r+1, l.Rounds)
			}
			var rates [3]float64
			for k, run := range runs {
				var err error
				if rates[k], err = l.child(ctx, program, run); err != nil {
					return nil, fmt.Errorf("bench: loop of %s, %s: %w", l.Preset, figures[k][0], err)
				}
			}
			rates[2] = rates[0] / rates[1]
			for k, v := range rates {
				samples[k] = append(samples[k], v)
			}
		}
		for k, f := range figures {
			x := Metric{Name: l.Name + f[0], What: f[1] + l.Preset}
			if k == 0 {
				x.Bound = boundOf(report.AtLeast, l.Bound)
			}
			x.Median(samples[k])
			out = append(out, x)
		}
	}
	return out, nil
}

// loopFigures is what a child prints.
type loopFigures struct {
	Flows   int    `json:"flows"`
	Done    int    `json:"done"`
	Events  uint64 `json:"cc_events"`
	Devices []struct {
		Events uint64 `json:"events"`
		Step   bool   `json:"step"`
		Left   string `json:"left"`
	} `json:"devices"`
}

// child makes one run and returns its events per second of processor time.
func (l *Loop) child(ctx context.Context, program string, run loopRun) (float64, error) {
	args := []string{"fabric", "run", l.Preset, "--cc", run.cc, "--json", "-"}
	for _, s := range append([]string{fmt.Sprintf("flow.bytes=%d", run.bytes)}, l.Set...) {
		args = append(args, "--set", s)
	}
	if run.step {
		args = append(args, "--step")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	text, err := outputOf(ctx, cmd)
	if err != nil {
		return 0, err
	}
	// The kernel adds the time of the device, which the child has waited for.
	return run.rate(text, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
}

// rate returns the events per second of processor time of a child that printed text. It errors when the child did not
// do what is measured.
func (x *loopRun) rate(text []byte, cpu time.Duration) (float64, error) {
	var f loopFigures
	if err := json.Unmarshal(text, &f); err != nil {
		return 0, err
	}
	devices := 0
	if x.device {
		devices = 1
	}
	switch {
	case f.Flows == 0 || f.Done != f.Flows:
		return 0, fmt.Errorf("%d of %d flows done", f.Done, f.Flows)
	case f.Events == 0 || len(f.Devices) != devices || x.device && f.Devices[0].Events == 0:
		return 0, fmt.Errorf("%d devices played, or no event: nothing was measured", len(f.Devices))
	case x.device && f.Devices[0].Left != "":
		return 0, fmt.Errorf("the design left the model at %s: run `make cosim` first", f.Devices[0].Left)
	case x.device && f.Devices[0].Step != x.step:
		return 0, fmt.Errorf("step by step is %t in place of %t: it measures something else", f.Devices[0].Step, x.step)
	case cpu <= 0:
		return 0, errors.New("it took no processor time: the clock of processes does not work here")
	}
	return float64(f.Events) / cpu.Seconds(), nil
}
