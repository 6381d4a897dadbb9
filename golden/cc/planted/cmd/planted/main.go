// Command planted plants changes in the rules of the congestion controls and lists those that no test catches.
//
//	go run ./golden/cc/planted/cmd/planted [-n 40] [-seed 1] [-j 2] [-v] [CONTROL ...]
//
// It is started in the root of the repository. Exit code 1: a control catches less than 95 %; 2: nothing was measured.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/cc/planted"
)

func main() {
	var o planted.Options
	flag.IntVar(&o.Count, "n", 40, "changes for each control, 0 for all there are")
	flag.Uint64Var(&o.Seed, "seed", planted.Seed, "seed of the draw")
	flag.IntVar(&o.Workers, "j", 2, "changes at a time")
	verbose := flag.Bool("v", false, "print each verdict")
	flag.Parse()
	if *verbose {
		o.Progress = func(r planted.Result) { fmt.Printf("  %s: %s\n", r.Verdict, r.Key()) }
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := measure(ctx, o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		code = 2
	}
	os.Exit(code)
}

// measure prints a report for each control that is named, or for all, and returns the exit code.
func measure(ctx context.Context, o planted.Options, names []string) (code int, err error) {
	all, err := planted.Controls(".")
	if err != nil {
		return 0, err
	}
	var known []string
	for _, c := range all {
		known = append(known, c.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return 0, fmt.Errorf("control = %s: want one of %s", n, strings.Join(known, ", "))
		}
	}
	for _, c := range all {
		if len(names) > 0 && !slices.Contains(names, c.Name) {
			continue
		}
		rep, err := planted.Measure(ctx, ".", c, o)
		if err != nil {
			return 0, err
		}
		if err := rep.WriteText(os.Stdout); err != nil {
			return 0, err
		}
		share, ok := rep.Share()
		if !ok {
			return 0, fmt.Errorf("%s: no change was planted", c.Name)
		}
		if share < planted.Least {
			code = 1
		}
	}
	return code, nil
}
