// Command fourstate drops every reset of the blocks, one at a time, and plays their exported benches in Icarus:
//
//	fourstate [-block NAME,...] [-jobs N] [-json FILE] [-v] -goldwire FILE [ROOT]
//
// Exit codes: 0 every dropped reset is seen or has an argument in survivors.yaml, 1 one is neither, 2 a tool failed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/goldwire/goldwire/cosim/audit/fourstate"
	"github.com/goldwire/goldwire/cosim/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	blocks := flag.String("block", "", "blocks, separated by commas; all of hdl/prove/fourstate.yaml if empty")
	jobs := flag.Int("jobs", 2, "simulations at the same time")
	file := flag.String("json", "", "file for the result")
	goldwire := flag.String("goldwire", "build/goldwire", "the goldwire command")
	verbose := flag.Bool("v", false, "log each play to stderr")
	flag.Parse()
	if *verbose {
		slog.SetLogLoggerLevel(slog.LevelDebug)
	}
	code, err := play(ctx, *blocks, *jobs, *file, *goldwire, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "fourstate:", err)
		code = 2
	}
	os.Exit(code)
}

func play(ctx context.Context, names string, jobs int, file, goldwire, root string) (int, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return 2, err
	}
	if goldwire, err = filepath.Abs(goldwire); err != nil {
		return 2, err
	}
	benches, err := fourstate.Benches(root)
	if err != nil {
		return 2, err
	}
	blocks := slices.Sorted(maps.Keys(benches))
	if names != "" {
		blocks = strings.Split(names, ",")
	}
	if file != "" { // an earlier result must not pass for this one
		if err := report.Remove(file); err != nil {
			return 2, fmt.Errorf("-json: %w", err)
		}
	}
	var all []fourstate.Verdict
	code := 0
	rows := "| block | resets dropped | seen by the first bench | by a later one | argued | not seen |\n" +
		"|---|---|---|---|---|---|\n"
	for _, b := range blocks {
		got, err := fourstate.Run(ctx, fourstate.Spec{Root: root, Block: b, Benches: benches[b], Goldwire: goldwire,
			Work: filepath.Join(root, "build", "fourstate", b), Jobs: jobs, Done: func(bench int, v fourstate.Verdict) {
				slog.Debug("played", "block", b, "bench", bench, "file", v.File, "line", v.Line, "seen", v.Seen)
			}})
		if err != nil {
			return 2, err
		}
		var first, later, argued, open int
		for _, v := range got {
			switch {
			case v.Bench == 1:
				first++
			case v.Bench > 1:
				later++
			case v.Why != "":
				argued++
				fmt.Printf("%s: %s:%d: %s -> %s: argued: %s\n", b, v.File, v.Line, v.Before, v.After, v.Why)
			default:
				open++
				code = 1
				fmt.Printf("%s: %s:%d: %s -> %s: NOT SEEN\n", b, v.File, v.Line, v.Before, v.After)
			}
		}
		fmt.Printf("%s: %d resets dropped, %d argued, %d not seen\n", b, len(got), argued, open)
		rows += fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", b, len(got), first, later, argued, open)
		all = append(all, got...)
	}
	fmt.Print("\n", rows)
	if file == "" {
		return code, nil
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(file, append(text, '\n'), 0o644)
	}
	return code, err
}
