package run

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/packets"
	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// ErrConfig is wrapped by every error of Config.Validate.
var ErrConfig = errors.New("cosim")

// ErrNotRepeated marks an episode that differed in its run but agrees when it is played alone: the difference depends
// on something before its first reset.
var ErrNotRepeated = errors.New("the device is not deterministic, or the bridge broke the run")

// Frame is a packet at a block's output tx.
type Frame = packets.Frame

// Config describes one run: the design, the stimulus and the reference.
type Config struct {
	Root    string // repository root
	BuiltIn string // our RTL in reports if it is built into goldwire; "" for hdl/rtl under Root
	Block   string
	Source  string // a name of block.Sources(Block)
	Events  uint64 // requested events; directed cases are always played whole
	Seed    uint64
	TickPs  int64 // length of a time tick in ps: 1000 (also when 0) or 128000

	Transport string         // unix (also when empty), tcp or shm
	RTLDir    string         // RTL to use instead of hdl/rtl; empty for ours
	Params    map[string]int // elaboration parameters; missing ones take the schema's default
	Bind      *bind.Binding  // the user's design; nil for ours

	// The reference of a bound design, if it is not our model. At most one of these three is set.
	Expect  string        // vector file, which brings its own events
	Against *bind.Binding // another design
	Golden  string        // address of a program that speaks the bridge protocol
	Self    bool          // Against may be the design itself, which checks the harness

	Case    string // only this directed case, without the prefix directed/
	Episode string // only this episode of the source, as a mismatch names it

	SaveCase string // file for the shortest failing events; empty for none
	Replay   string // file written by SaveCase whose events are played; Source is then ReplaySource

	Stimulus *cache.Cache // keeps the stimulus of simulated networks; nil for none

	Corpus string // folder of the corpus for the source guided; empty for the block's own

	Signals    string        // VCD file for every signal in every cycle of a replayed case; empty for none
	WaveDir    string        // folder for the waveform of a failing window; empty for none
	WavesOf    string        // episode whose waveform is always written; empty for none
	WavesAt    uint64        // cycle around which it is shown; 0 for the first 2,000 cycles
	ShrinkTime time.Duration // longest search for the shortest failing case, 0 for a minute
	NoShrink   bool          // do not look for the shortest failing case
	ModelOnly  bool          // no device: stimulus, model, coverage and float64 only
	FloatOff   bool          // no fixed-versus-float comparison
	Assert     bool          // build the RTL with its assertions

	CodeCoverage   string // folder for the design's code coverage, one file per run; empty for none
	CodeExclusions string // file of exclusions from that coverage; empty for none

	StopFirst bool // end directed cases at the first failure too

	PlusArgs []string       // for the RTL's $value$plusargs, each with its +
	Binary   *launch.Binary // already built RTL, for runs that share it; nil builds it

	Program  string                   // name of the goldwire command in reproduce lines; "goldwire" when empty
	Timeout  time.Duration            // longest silence of the device; 0 for the client's default
	Progress func(done, total uint64) // called from time to time with the accepted events; may be nil

	// Say receives a line about work during which no events are counted, such as explaining or shrinking a mismatch;
	// may be nil.
	Say func(what string)

	// Found receives a copy of the result as soon as the first mismatch is known. Repeating it, dumping its waves and
	// shrinking it come later and may take minutes. Found may be nil.
	Found func(*report.Result)

	// Frames receives the packets that the device sent at tx, in order, once the device has agreed in all their cycles; it
	// may be nil. In an episode that differs, it receives the packets before the first difference.
	Frames func(Frame) error
}

// Validate returns nil, or an error that names the first wrong setting and the fix.
func (c *Config) Validate() error {
	k, err := c.kind()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err := c.checkReference(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if _, err := k.Schema.Values(c.Params); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if !slices.Contains([]int64{0, 1000, 128000}, c.TickPs) {
		return fmt.Errorf("%w: tick of %d ps: give 1ns or 128ns", ErrConfig, c.TickPs)
	}
	if !slices.Contains([]string{"", "unix", "tcp", "shm"}, c.Transport) {
		return fmt.Errorf("%w: transport %q: give unix, tcp or shm", ErrConfig, c.Transport)
	}
	if c.Frames != nil {
		if c.ModelOnly {
			return fmt.Errorf("%w: a run without a device has no packets to write: leave out --model-only or --pcap", ErrConfig)
		}
		if tx := k.Schema.Stream("tx"); tx == nil || tx.Dir != event.Out || tx.Field("keep") == nil {
			return fmt.Errorf("%w: block %s has no packets to write with --pcap: give trimmer, intmd or switchport",
				ErrConfig, c.Block)
		}
	}
	if (c.Replay != "") != (c.Source == ReplaySource) {
		return fmt.Errorf("%w: source %q: a saved case is played by the source %s", ErrConfig, c.Source, ReplaySource)
	}
	if err := c.checkGuided(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if c.Signals != "" && (c.Replay == "" || c.Bind != nil || c.ModelOnly) {
		return fmt.Errorf("%w: signals are of our designs, on a saved case: give --replay, and no --dut",
			ErrConfig)
	}
	if c.WavesOf != "" && (c.WaveDir == "" || c.ModelOnly) {
		return fmt.Errorf("%w: waves of %s: they show a design, in the folder for waves: give --waves, and no --model-only",
			ErrConfig, c.WavesOf)
	}
	if c.Replay != "" && c.reference().OwnEvents() {
		return fmt.Errorf("%w: --replay and --expect: each file has its own events; keep one", ErrConfig)
	}
	if err := c.checkCodeCoverage(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if c.Case != "" && c.Source != "directed" {
		return fmt.Errorf("%w: case %q: only the source directed has cases, not %q", ErrConfig, c.Case, c.Source)
	}
	if w := c.WavesOf; w != "" && c.Replay == "" && !c.reference().OwnEvents() && w != c.Source &&
		!strings.HasPrefix(w, c.Source+"/") {
		return fmt.Errorf("%w: waves of %s: source %s has no such episode; give the source that its name begins with",
			ErrConfig, w, c.Source)
	}
	if err := c.episodeOfSource(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if c.Bind != nil && (c.RTLDir != "" || c.Bind.Block.Name != c.Block) {
		return fmt.Errorf("%w: %s binds a design to block %s; leave out --rtl, and any other block", ErrConfig,
			c.Bind.File, c.Bind.Block.Name)
	}
	if c.RTLDir != "" {
		rtl, err := launch.ReadRTL(c.RTLDir)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
		if rtl.Module(c.Block) == "" {
			return fmt.Errorf("%w: rtl folder %s: it must hold %s.sv, as hdl/rtl does", ErrConfig, c.RTLDir, c.Block)
		}
	}
	return nil
}

// Planned returns what is known about the run before it starts, for its entry in a report.
func (c *Config) Planned() report.Result {
	r := report.Result{Block: c.Block, Source: c.Source, Seed: c.Seed, Tick: c.tickName(), Transport: c.transport(),
		RTL: c.design(), ModelOnly: c.ModelOnly, Reproduce: c.command(), Due: c.dueSections()}
	if c.Bind != nil {
		r.Uncompared, r.Relaxed = c.Bind.Missing(), c.Bind.Relaxed()
		r.Ignored = c.Bind.Judging.Ignored()
		for _, s := range c.Bind.Block.StreamsOf(event.Out) {
			r.OutputFields += len(s.Fields)
		}
		for _, name := range c.Bind.Constants() {
			r.Uncompared = append(r.Uncompared, name+" (a constant of the map)")
		}
		relaxed, uncompared := c.reference().Limits()
		r.Relaxed, r.Uncompared = append(r.Relaxed, relaxed...), append(r.Uncompared, uncompared...)
	}
	if c.Bind.SchemaOnly() {
		r.Tick = "" // a user-defined schema has no time
	}
	r.Reference = c.reference().Title()
	if k, err := c.kind(); err == nil {
		r.SchemaHash = k.Schema.Hash()
		if p, err := k.Schema.Values(c.sized()); err == nil {
			r.Params = p
		}
	}
	return r
}

// episodeOfSource returns an error for an episode that the source does not have, because another source would be played
// under its name.
func (c *Config) episodeOfSource() error {
	switch {
	case c.Episode == "" || c.reference().OwnEvents(): // a file has its own episodes
		return nil
	case c.Case != "":
		return fmt.Errorf("episode %q and case %q: both select what is played alone; keep one", c.Episode, c.Case)
	case c.Episode != c.Source && !strings.HasPrefix(c.Episode, c.Source+"/"):
		return fmt.Errorf("episode %q: source %s has no such episode; give the source that its name begins with", c.Episode,
			c.Source)
	}
	return nil
}

// say calls Say if it is set.
func (c *Config) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(fmt.Sprintf(format, args...))
	}
}

// source returns the name for block.Open.
func (c *Config) source() string {
	switch {
	case c.Case != "":
		return "directed/" + c.Case
	case c.Episode != "":
		return c.Episode
	}
	return c.Source
}

// sized returns the given parameters. If there are none, it returns the defaults for a fabric's traffic.
func (c *Config) sized() map[string]int {
	p := map[string]int{}
	if b, err := block.Lookup(c.Block); err == nil && strings.HasPrefix(c.Source, stim.Fabric) {
		maps.Copy(p, b.Sizes.Fabric)
	}
	if c.Bind != nil {
		maps.Copy(p, c.Bind.BlockParams)
	}
	maps.Copy(p, c.Params)
	return p
}

// Values returns all elaboration parameters of the run.
func (c *Config) Values() (map[string]int, error) {
	kind, err := c.kind()
	if err != nil {
		return nil, err
	}
	return kind.Schema.Values(c.sized())
}

// device returns the specification of the device for a run with these parameters.
func (c *Config) device(params map[string]int) device.Spec {
	return device.Spec{Root: c.Root, Block: c.Block, RTLDir: c.RTLDir, Params: params, Bind: c.Bind,
		Transport: client.Transport(c.transport()), Timeout: c.Timeout, Assert: c.Assert, PlusArgs: c.PlusArgs,
		Binary: c.Binary}
}

func (c *Config) tickPs() int64 {
	if c.TickPs == 0 {
		return 1000
	}
	return c.TickPs
}

func (c *Config) tickName() string { return fmt.Sprintf("%dns", c.tickPs()/1000) }

func (c *Config) transport() string {
	switch {
	case c.Transport != "":
		return c.Transport
	case !c.reference().Lockstep(c.Bind):
		return string(client.Shm) // stepped cycle by cycle
	}
	return string(client.Unix)
}

// kind returns the block of a run. A block that only has a schema has no model.
func (c *Config) kind() (*block.Block, error) {
	if c.Bind.SchemaOnly() {
		return &block.Block{Schema: c.Bind.Block}, nil
	}
	return block.Lookup(c.Block)
}

// choice returns the user's choice of a reference.
func (c *Config) choice() reference.Choice {
	return reference.Choice{Expect: c.Expect, Against: c.Against, Golden: c.Golden, Self: c.Self}
}

// reference returns the source of the expected values.
func (c *Config) reference() reference.Given { return reference.Of(c.choice()) }

// checkReference checks the settings of the reference.
func (c *Config) checkReference() error {
	if err := c.choice().Check(); err != nil {
		return err
	}
	given := c.reference()
	switch {
	case given.Ours():
	case c.Bind == nil:
		return errors.New("--expect, --against, --golden: they need a design bound by a dut.yaml; give it with --dut")
	case c.ModelOnly:
		return errors.New("--model-only: this run uses no model; leave it out")
	case c.Frames != nil:
		return errors.New("--pcap: packets are followed only in a run against our model; leave out --pcap, or the reference")
	}
	return given.Check(c.Bind)
}

// design returns the name of the design for reports.
func (c *Config) design() string {
	switch {
	case c.Bind != nil:
		return c.Bind.File
	case c.RTLDir != "":
		return c.RTLDir
	}
	return cmp.Or(c.BuiltIn, "hdl/rtl")
}

// command returns the goldwire command that repeats this run, quoted for a shell, with every argument that differs from
// its default.
func (c *Config) command() string {
	args := []string{cmp.Or(c.Program, "goldwire"), "cosim"}
	add := func(a ...string) { args = append(args, a...) }
	if c.Bind != nil {
		add("--dut", c.Bind.File)
	} else {
		add("--block", c.Block)
	}
	add(c.reference().Args()...)
	switch {
	case c.reference().OwnEvents(): // the reference has its own events
	case c.Replay != "":
		add("--replay", c.Replay)
	default:
		add("--source", c.Source, "--seed", fmt.Sprint(c.Seed))
		if c.Corpus != "" {
			add("--corpus", c.Corpus)
		}
		if c.Source != "directed" && c.Source != GuidedSource {
			add("--events", fmt.Sprint(c.Events))
		}
		if c.tickPs() != 1000 {
			add("--tick", c.tickName())
		}
	}
	for _, p := range sortedParams(c.Params) {
		add("--param", p)
	}
	if c.RTLDir != "" {
		add("--rtl", c.RTLDir)
	}
	if c.BuiltIn != "" {
		add("--root", "built-in") // wherever it is repeated
	}
	if c.Assert {
		add("--assert")
	}
	if c.ModelOnly {
		add("--model-only")
	}
	if c.Case != "" {
		add("--case", c.Case)
	}
	if c.Episode != "" {
		add("--episode", c.Episode)
	}
	return report.CommandLine(args)
}

func sortedParams(p map[string]int) []string {
	var out []string
	for name, v := range p {
		out = append(out, fmt.Sprintf("%s=%d", name, v))
	}
	slices.Sort(out)
	return out
}
