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

// Loop is a network whose senders run on the RTL. Bytes is the size of its flows, StepBytes that of flows that are
// played step by step, which takes much longer for each event.
type Loop struct {
	Preset           string
	Name             string // of its figures
	Bytes, StepBytes int
	Bound            float64 // least events per second of processor time
	Rounds           int
}

// loopBound is the least number of events that the loop plays in a second of processor time.
const loopBound = 400_000

// Loops returns what is measured of the loop: a permutation, whose 128 contexts fill the pipeline, and an incast, whose
// 32 do not. The flows are so long that the start of the processes is a few percent.
func Loops() []Loop {
	return []Loop{
		{Preset: "fattree128/permutation", Name: "loop", Bytes: 40_000_000, StepBytes: 1_000_000, Bound: loopBound,
			Rounds: 5},
		{Preset: "fattree128/incast32", Name: "loop_incast", Bytes: 80_000_000, StepBytes: 1_000_000, Bound: loopBound,
			Rounds: 5},
	}
}

// loopWarm is the size of the flows of the run before the measured ones, which builds the RTL.
const loopWarm = 9000

// RunLoop runs each network in processes of its own, program fabric run PRESET --cc nscc-rtl, and returns the events of
// the device per second of processor time of the program and the device together, from their starts to their ends: of a
// network that runs ahead, of one that is played step by step, and their ratio. Both are run in alternation. It errors
// when a child does, a flow does not finish, or a run was not made as it was to be.
func RunLoop(ctx context.Context, program string, loops []Loop,
	log func(format string, args ...any)) ([]Metric, error) {
	var out []Metric
	for i := range loops {
		l := &loops[i]
		if _, err := l.child(ctx, program, loopWarm, false); err != nil {
			return nil, fmt.Errorf("bench: loop of %s: %w", l.Preset, err)
		}
		var ahead, step, ratio []float64
		for r := range l.Rounds {
			if log != nil {
				log("loop: %s, round %d of %d", l.Preset, r+1, l.Rounds)
			}
			a, err := l.child(ctx, program, l.Bytes, false)
			if err != nil {
				return nil, fmt.Errorf("bench: loop of %s: %w", l.Preset, err)
			}
			s, err := l.child(ctx, program, l.StepBytes, true)
			if err != nil {
				return nil, fmt.Errorf("bench: loop of %s step by step: %w", l.Preset, err)
			}
			ahead, step, ratio = append(ahead, a), append(step, s), append(ratio, a/s)
		}
		for _, m := range []struct {
			name, what string
			bound      float64
			samples    []float64
		}{
			{"_events_per_cpu_s", "events of nscc-rtl per second of processor time, network and device, " + l.Preset, l.Bound,
				ahead},
			{"_step_events_per_cpu_s", "the same step by step", 0, step},
			{"_ahead_vs_step", "the one against the other", 0, ratio},
		} {
			x := Metric{Name: l.Name + m.name, What: m.what, Bound: boundOf(report.AtLeast, m.bound)}
			x.Median(m.samples)
			out = append(out, x)
		}
	}
	return out, nil
}

// loopFigures is what a child prints.
type loopFigures struct {
	Flows   int `json:"flows"`
	Done    int `json:"done"`
	Devices []struct {
		Events uint64 `json:"events"`
		Step   bool   `json:"step"`
		Left   string `json:"left"`
	} `json:"devices"`
}

// child makes one run and returns its events per second of processor time.
func (l *Loop) child(ctx context.Context, program string, bytes int, step bool) (float64, error) {
	args := []string{"fabric", "run", l.Preset, "--cc", "nscc-rtl", "--set", fmt.Sprintf("flow.bytes=%d", bytes),
		"--json", "-"}
	if step {
		args = append(args, "--step")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	text, err := outputOf(ctx, cmd)
	if err != nil {
		return 0, err
	}
	// The kernel adds the time of the device, which the child has waited for.
	return l.rate(text, step, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
}

// rate returns the events per second of processor time of a child that printed text. It errors when the child did not
// do what is measured.
func (l *Loop) rate(text []byte, step bool, cpu time.Duration) (float64, error) {
	var f loopFigures
	if err := json.Unmarshal(text, &f); err != nil {
		return 0, err
	}
	switch {
	case f.Flows == 0 || f.Done != f.Flows:
		return 0, fmt.Errorf("%d of %d flows done", f.Done, f.Flows)
	case len(f.Devices) != 1 || f.Devices[0].Events == 0:
		return 0, fmt.Errorf("%d devices played, or no event: nothing was measured", len(f.Devices))
	case f.Devices[0].Left != "":
		return 0, fmt.Errorf("the design left the model at %s: run `make cosim` first", f.Devices[0].Left)
	case f.Devices[0].Step != step:
		return 0, fmt.Errorf("step by step is %t in place of %t: it measures something else", f.Devices[0].Step, step)
	case cpu <= 0:
		return 0, errors.New("it took no processor time: the clock of processes does not work here")
	}
	return float64(f.Devices[0].Events) / cpu.Seconds(), nil
}
