package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/play"
	"github.com/goldwire/goldwire/golden/replay"
)

func newGolden(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "golden",
		Short: "run the golden model alone",
		Long: `golden runs the golden model, a float64 statement of the right answer, without any
hardware.`,
		Example: `  goldwire golden replay --help`,
	}, newReplay(a), newStep(a))
}

func newReplay(a *app) *cobra.Command {
	var cfg replay.Config
	c := &cobra.Command{
		Use:   "replay TRACE",
		Short: "replay a recorded trace through the golden model and report what differs",
		Long: `replay feeds a recorded trace of a congestion-control sender to the golden model, row by
row and open loop: once in the recorder's integer arithmetic, once in real arithmetic.
It reports the rows, the action mismatches, and for each column the values that differ
and the largest relative error. Use it to check the golden model against a reference
simulator, or a trace against the profile it claims to follow.

TRACE is CSV, plain or compressed with gzip, xz or zstd; - reads stdin. The trace does
not contain the settings it was recorded with, so all five must be given.

Exit codes: 0 the trace is reproduced; 1 something differs; 2 called wrongly, or the
trace cannot be read.`,
		Example: `  goldwire golden replay --profile htsim --link-gbps 100 --network-rtt-ps 14022720 \
    --target-ps 10517040 --mtu 4150 --mss 4086 trace.csv.xz

  # as JSON, from a pipe
  zstdcat trace.csv.zst | goldwire golden replay --link-gbps 100 --network-rtt-ps 14022720 \
    --target-ps 10517040 --mtu 4150 --mss 4086 --json report.json -`,
		Args: cli.OneArg("TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var missing []string
			for _, n := range []string{"link-gbps", "network-rtt-ps", "target-ps", "mtu", "mss"} {
				if !cmd.Flags().Changed(n) {
					missing = append(missing, "--"+n)
				}
			}
			if missing != nil {
				return fmt.Errorf("missing %s; a trace does not contain its settings: give those that it was recorded with",
					strings.Join(missing, ", "))
			}
			return a.replay(cmd, cfg, args[0])
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&cfg.Profile, "profile", replay.ProfileHtsim, "rules to replay with, `NAME`: htsim")
	fl.Float64Var(&cfg.LinkGbps, "link-gbps", 0, "link rate, `GBPS` in Gb/s")
	fl.Int64Var(&cfg.NetworkRTTPs, "network-rtt-ps", 0, "unloaded round trip time, `PS` in picoseconds")
	fl.Int64Var(&cfg.TargetPs, "target-ps", 0, "target queueing delay, `PS` in picoseconds")
	fl.Int64Var(&cfg.MTU, "mtu", 0, "largest packet with its header, in `BYTES`")
	fl.Int64Var(&cfg.MSS, "mss", 0, "largest payload, in `BYTES`")
	fl.Float64Var(&cfg.RealTolerance, "real-tolerance", replay.DefaultRealTolerance,
		"allowed relative error of the window in real arithmetic, a `RATIO`")
	fl.String("json", "", "write the report as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

func (a *app) replay(cmd *cobra.Command, cfg replay.Config, trace string) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	files := cli.Files(cmd, "json")
	if to := files[0].Path; cli.SameRegular(to, trace) {
		return fmt.Errorf("--json %s: it is the trace; give another file, or - for stdout", to)
	}
	in, err := a.Input("trace", trace, "trace")
	if err != nil {
		return err
	}
	defer in.Close()
	if err := a.Take(files...); err != nil {
		return err
	}
	rep, err := replay.Replay(cmd.Context(), in, cfg)
	if err != nil {
		where := "trace " + trace
		if cmd.Context().Err() != nil {
			where = "interrupted"
		}
		err = fmt.Errorf("%s: %w", where, err)
	}
	if rep == nil {
		return err
	}
	return cli.Found(!rep.Pass, errors.Join(err, a.WriteReports(files, rep.WriteText, cli.JSON(rep))))
}

func newStep(a *app) *cobra.Command {
	var opt play.Options
	var sets []string
	c := &cobra.Command{
		Use:   "step EVENTS.jsonl",
		Short: "play hand-written events through one congestion control and show its state after each",
		Long: `step plays hand-written events through one congestion control, without a network, and
prints its window, rate, timer and state after each event. Use it to follow a rule, to
write a scenario that is checked, or to compare a control with your own.

EVENTS.jsonl has one JSON object on each line; - reads stdin. Blank lines and lines that
begin with # are skipped. Times are in us. The events are open, data, send, ack, nack,
loss, cnp, credit, timer and state:

  {"ev": "open", "cc": "swift", "set": {"link_gbps": 800, "base_rtt": 6.25, "mtu": 4160}}
  {"t": 0, "ev": "send", "n": 100}
  {"t": 10, "ev": "ack", "rtt": 7.0, "ecn": true, "expect": {"w": 150.25}}
  {"t": 12, "ev": "loss", "psn": 4, "by": "hole"}
  {"ev": "state", "set": {"w": 64}}
  {"ev": "timer"}

An event may expect values of the state after it, within 1e-6 or its own tol.
golden/cc/play describes every field, and golden/cc/play/testdata has a file for each
control.

--set changes the link (link_gbps, base_rtt, mtu, header, trim; target and qa_gate of
NSCC) or a parameter of the control; an unknown name prints the list. It overrides the
file's open event.

Exit codes: 0 every expectation holds, or there are none; 1 one does not hold; 2 called
wrongly, or the events are invalid: one line gives the place and the cause.`,
		Example: `  goldwire golden step --cc swift golden/cc/play/testdata/swift.jsonl
  goldwire golden step --cc cubic --set hystart_dc=1 --json state.json events.jsonl`,
		Args: cli.OneArg("EVENTS.jsonl"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if opt.Set, err = pairs(sets); err != nil {
				return err
			}
			return a.step(cmd, opt, args[0])
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&opt.CC, "cc", "", "congestion control, `NAME` as in goldwire fabric list cc (default: that of the file)")
	fl.StringArrayVar(&sets, "set", nil, "set one parameter, `P=V`; may be repeated")
	fl.String("json", "", "write the states as JSON to `FILE` (- for stdout, in place of the table)")
	names := cobra.FixedCompletions(cc.Names(cc.Rows()), cobra.ShellCompDirectiveNoFileComp)
	_ = c.RegisterFlagCompletionFunc("cc", names)
	return c
}

// pairs reads P=V pairs.
func pairs(sets []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, s := range sets {
		name, text, ok := strings.Cut(s, "=")
		v, err := strconv.ParseFloat(text, 64)
		if !ok || name == "" || err != nil {
			return nil, fmt.Errorf("--set %s: want P=V, a name and a number", s)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("--set %s: given twice; keep one", name)
		}
		out[name] = v
	}
	return out, nil
}

func (a *app) step(cmd *cobra.Command, opt play.Options, events string) error {
	files := cli.Files(cmd, "json")
	if to := files[0].Path; cli.SameRegular(to, events) {
		return fmt.Errorf("--json %s: it is the file of the events; give another file, or - for stdout", to)
	}
	in, err := a.Input("events", events, "file")
	if err != nil {
		return err
	}
	defer in.Close()
	if err := a.Take(files...); err != nil {
		return err
	}
	opt.Rows = cc.Rows()
	rep, err := play.Run(in, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", events, err)
	}
	return cli.Found(!rep.Pass, a.WriteReports(files, rep.WriteText, cli.JSON(rep)))
}
