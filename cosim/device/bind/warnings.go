package bind

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
)

var warnLine = regexp.MustCompile(`(?m)^%Warning-(\w+): (.+?):(\d+):(?:\d+:)? (.*)$`)

// Warnings returns the warnings of Verilator's linter about a design that compiles, each with its place and the name of
// the warning in brackets; the flags of the dut.yaml, such as -Wno-WIDTH, apply. The build itself shows none. It errors
// when Verilator cannot be run.
func (b *Binding) Warnings(ctx context.Context) ([]Problem, error) {
	v, err := launch.FindVerilator(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "goldwire-dut-")
	if err != nil {
		return nil, fmt.Errorf("warnings of the design: %w", err)
	}
	defer os.RemoveAll(dir)
	args := append([]string{"--lint-only", "--top-module", b.Top, "--no-timing", "--Mdir", dir,
		"-Wno-fatal"}, b.designArgs()...)
	for _, name := range sortedKeys(b.Parameters) {
		args = append(args, "-G"+name+"="+b.parameter(name))
	}
	ctx, cancel := context.WithTimeout(ctx, elaborateTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, v.Path, args...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("warnings of the design: %w", context.Cause(ctx))
	}
	var all []Problem
	for _, m := range warnLine.FindAllStringSubmatch(out.String(), -1) {
		line, _ := strconv.Atoi(m[3])
		p := Problem{shorten(m[2]), line, m[4] + " [" + m[1] + "]"}
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all, nil
}
