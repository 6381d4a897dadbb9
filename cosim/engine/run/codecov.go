package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/cover/codecov"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/report"
)

// CodeCoverageFile returns the path of the run's code coverage, or "" for none.
func (c *Config) CodeCoverageFile() string {
	if c.CodeCoverage == "" {
		return ""
	}
	name := fmt.Sprintf("%s-%s-seed%d", c.Block, c.source(), c.Seed)
	if c.tickPs() != 1000 {
		name += "-" + c.tickName()
	}
	return filepath.Join(c.CodeCoverage, strings.NewReplacer("/", "-", ":", "-").Replace(name)+".dat")
}

// checkCodeCoverage returns an error for a run whose code coverage cannot be counted.
func (c *Config) checkCodeCoverage() error {
	switch {
	case c.CodeCoverage == "":
		if c.CodeExclusions != "" {
			return errors.New("exclusions of code coverage without it: give --code-coverage too")
		}
	case c.ModelOnly:
		return errors.New("code coverage of a run without a device: leave out --model-only or --code-coverage")
	case c.Bind != nil:
		return errors.New("code coverage of a design bound by a dut.yaml is not counted: leave out --code-coverage")
	case c.Binary != nil:
		return errors.New("code coverage needs a build of its own")
	}
	return nil
}

// startDevice starts the design, in two builds if its code coverage is counted.
func (e *engine) startDevice(ctx context.Context) (err error) {
	spec := e.cfg.device(e.params)
	file := e.cfg.CodeCoverageFile()
	if file == "" {
		e.dev, err = device.Start(ctx, spec)
		return err
	}
	// Coverage of an earlier run must not pass for this one's.
	if err := report.Remove(file); err != nil {
		return fmt.Errorf("code coverage: %w", err)
	}
	if e.codeDir, err = os.MkdirTemp("", "goldwire-coverage-"); err != nil {
		return fmt.Errorf("code coverage: %w", err)
	}
	// Count every cycle of a directed case, because each case exists for its own lines.
	name, _, _ := strings.Cut(e.cfg.source(), "/")
	share := device.Share{Least: uint64(e.cfg.Events) / 64, Every: name == "directed"}
	if e.counting, err = device.StartCounting(ctx, spec, share, e.codeDir); err == nil {
		e.dev = e.counting.Device
	}
	return err
}

// side is the design at the other end of the run.
func (e *engine) side() device.Side {
	if e.counting != nil {
		return e.counting
	}
	return e.dev
}

// covered ends the device of a run without a difference, writes its code coverage and adds it to the result.
func (e *engine) covered(res *report.Result) error {
	file := e.cfg.CodeCoverageFile()
	if file == "" {
		return nil
	}
	c := e.counting
	c.Close()
	lines, all := c.Cycles()
	if all != res.Cycles {
		return fmt.Errorf("code coverage: it is of %d cycles, the run compared %d", all, res.Cycles)
	}
	of := &c.Lines.Bin.Origin
	f, err := codecov.Collect(&codecov.Left{Block: e.kind.Schema, Build: of.Content, Source: of.Source, Lines: c.LinesFile,
		Toggles: c.TogglesFile, LineCycles: lines, ToggleCycles: all})
	if err != nil {
		return err
	}
	var excluded map[string]bool
	if e.cfg.CodeExclusions != "" {
		x, err := codecov.LoadExclusions(e.cfg.Root, e.cfg.CodeExclusions)
		if err != nil {
			return err
		}
		if excluded, err = x.Apply(f); err != nil {
			return err
		}
	}
	view, err := codecov.NewView(f, excluded)
	if err != nil {
		return err
	}
	if err := report.WriteFile(file, func(w io.Writer) error { return f.Write(w) }); err != nil {
		return fmt.Errorf("code coverage: %w", err)
	}
	res.Sections = append(res.Sections, view.Section())
	return nil
}
