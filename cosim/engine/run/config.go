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
	if err == nil {
		_, params := k.Schema.Values(c.Params)
		err = cmp.Or(c.checkReference(), params, c.checkPorts(k), c.checkGuided(), c.checkShown(), c.checkCodeCoverage(),
			c.checkEpisode(), c.checkDesign())
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

// checkPorts checks what is driven, and what is written of it.
func (c *Config) checkPorts(k *block.Block) error {
	tx := k.Schema.Stream("tx")
	switch {
	case !slices.Contains([]int64{0, 1000, 128000}, c.TickPs):
		return fmt.Errorf("tick of %d ps: give 1ns or 128ns", c.TickPs)
	case !slices.Contains([]string{"", "unix", "tcp", "shm"}, c.Transport):
		return fmt.Errorf("transport %q: give unix, tcp or shm", c.Transport)
	case c.Frames != nil && c.ModelOnly:
		return errors.New("a run without a device has no packets to write: leave out --model-only or --pcap")
	case c.Frames != nil && (tx == nil || tx.Dir != event.Out || tx.Field("keep") == nil):
		return fmt.Errorf("block %s has no packets to write with --pcap: give trimmer, intmd or switchport", c.Block)
	case (c.Replay != "") != (c.Source == ReplaySource):
		return fmt.Errorf("source %q: a saved case is played by the source %s", c.Source, ReplaySource)
	}
	return nil
}

// checkShown checks the files that show signals.
func (c *Config) checkShown() error {
	switch {
	case c.Signals != "" && (c.Replay == "" || c.Bind != nil || c.ModelOnly):
		return errors.New("signals are of our designs, on a saved case: give --replay, and no --dut")
	case c.WavesOf != "" && (c.WaveDir == "" || c.ModelOnly):
		return fmt.Errorf("waves of %s: they show a design, in the folder for waves: give --waves, and no --model-only",
			c.WavesOf)
	case c.Replay != "" && c.reference().OwnEvents():
		return errors.New("--replay and --expect: each file has its own events; keep one")
	}
	return nil
}

// checkEpisode returns an error for a case or an episode that the source does not have, because another source would be
// played under its name.
func (c *Config) checkEpisode() error {
	own := c.reference().OwnEvents() // a file has its own episodes
	lacks := func(name string) bool { return name != c.Source && !strings.HasPrefix(name, c.Source+"/") }
	switch {
	case c.Case != "" && c.Source != "directed":
		return fmt.Errorf("case %q: only the source directed has cases, not %q", c.Case, c.Source)
	case c.WavesOf != "" && c.Replay == "" && !own && lacks(c.WavesOf):
		return fmt.Errorf("waves of %s: source %s has no such episode; give the source that its name begins with",
			c.WavesOf, c.Source)
	case c.Episode == "" || own:
		return nil
	case c.Case != "":
		return fmt.Errorf("episode %q and case %q: both select what is played alone; keep one", c.Episode, c.Case)
	case lacks(c.Episode):
		return fmt.Errorf("episode %q: source %s has no such episode; give the source that its name begins with", c.Episode,
			c.Source)
	}
	return nil
}

func (c *Config) checkDesign() error {
	switch {
	case c.Bind != nil && (c.RTLDir != "" || c.Bind.Block.Name != c.Block):
		return fmt.Errorf("%s binds a design to block %s; leave out --rtl, and any other block", c.Bind.File,
			c.Bind.Block.Name)
	case c.RTLDir == "":
		return nil
	}
	rtl, err := launch.ReadRTL(c.RTLDir)
	if err == nil && rtl.Module(c.Block) == "" {
		err = fmt.Errorf("rtl folder %s: it must hold %s.sv, as hdl/rtl does", c.RTLDir, c.Block)
	}
	return err
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
	return cmp.Or(c.TickPs, 1000)
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

// reference returns the source of the expected values.
func (c *Config) reference() reference.Given {
	return reference.Given{Expect: c.Expect, Against: c.Against, Golden: c.Golden, Self: c.Self}
}

func (c *Config) checkReference() error {
	given := c.reference()
	if err := given.One(); err != nil {
		return err
	}
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
	add := func(given bool, a ...string) {
		if given {
			args = append(args, a...)
		}
	}
	drawn := c.Replay == "" && !c.reference().OwnEvents()
	add(c.Bind == nil, "--block", c.Block)
	if c.Bind != nil {
		add(true, "--dut", c.Bind.File)
	}
	add(true, c.reference().Args()...)
	add(c.Replay != "" && !c.reference().OwnEvents(), "--replay", c.Replay)
	add(drawn, "--source", c.Source, "--seed", fmt.Sprint(c.Seed))
	add(drawn && c.Corpus != "", "--corpus", c.Corpus)
	add(drawn && c.Source != "directed" && c.Source != GuidedSource, "--events", fmt.Sprint(c.Events))
	add(drawn && c.tickPs() != 1000, "--tick", c.tickName())
	var params []string
	for name, v := range c.Params {
		params = append(params, fmt.Sprintf("%s=%d", name, v))
	}
	for _, p := range slices.Sorted(slices.Values(params)) {
		add(true, "--param", p)
	}
	add(c.RTLDir != "", "--rtl", c.RTLDir)
	add(c.BuiltIn != "", "--root", "built-in") // wherever it is repeated
	add(c.Assert, "--assert")
	add(c.ModelOnly, "--model-only")
	add(c.Case != "", "--case", c.Case)
	add(c.Episode != "", "--episode", c.Episode)
	return report.CommandLine(args)
}
