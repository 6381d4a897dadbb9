// Command fourstate drops every reset of the blocks, one at a time, and plays their exported benches in Icarus:
//
//	fourstate [-block NAME,...] [-jobs N] [-json FILE] [-markdown FILE] [-v] -goldwire FILE [ROOT]
//
// Exit codes: 0 every dropped reset is seen or has an argument in survivors.yaml, 1 one is neither, 2 a tool failed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/cosim/audit/fourstate"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	blocks := flag.String("block", "", "blocks, separated by commas; all of hdl/prove/fourstate.yaml if empty")
	jobs := flag.Int("jobs", 2, "simulations at the same time")
	file := flag.String("json", "", "file for the result")
	table := flag.String("markdown", "", "file for the table, with revision and machine")
	goldwire := flag.String("goldwire", "build/goldwire", "the goldwire command")
	verbose := flag.Bool("v", false, "log each play to stderr")
	flag.Parse()
	if *verbose {
		slog.SetLogLoggerLevel(slog.LevelDebug)
	}
	code, err := play(ctx, *blocks, *jobs, *file, *table, *goldwire, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "fourstate:", err)
		code = 2
	}
	os.Exit(code)
}

func play(ctx context.Context, names string, jobs int, file, markdown, goldwire, root string) (code int, err error) {
	if root, err = filepath.Abs(root); err != nil {
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
	doc := measured.New(root, "go run ./cosim/audit/fourstate/cmd/fourstate", os.Args[1:], "iverilog")
	table, err := measured.Take(markdown)
	if err != nil {
		return 2, fmt.Errorf("-markdown: %w", err)
	}
	defer func() {
		if failed := table.Settle(code < 2); failed != nil {
			code, err = 2, errors.Join(err, failed)
		}
	}()
	begin := time.Now()
	var all []fourstate.Verdict
	counted := report.Sheet{Title: "Dropped resets", Head: []string{"block", "resets dropped", "seen by the first bench",
		"by a later one", "argued", "not seen"}}
	unseen := report.Sheet{Title: "Not seen"}
	for i, b := range blocks {
		got, err := fourstate.Run(ctx, fourstate.Spec{Root: root, Block: b, Benches: benches[b], Goldwire: goldwire,
			Work: filepath.Join(root, "build", "fourstate", b), Jobs: jobs, Done: func(bench int, v fourstate.Verdict) {
				slog.Debug("played", "block", b, "bench", bench, "file", v.File, "line", v.Line, "seen", v.Seen)
			}})
		if err != nil {
			for _, missing := range blocks[i:] {
				doc.Lack(fmt.Errorf("%s: the campaign did not end: it stopped in %s: %w", missing, b, err))
			}
			doc.Sheets = []report.Sheet{counted}
			return 2, errors.Join(err, table.Write(doc.WriteMarkdown))
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
				unseen.List = append(unseen.List, fmt.Sprintf("%s: %s:%d: %s -> %s", b, v.File, v.Line, v.Before, v.After))
				fmt.Println(unseen.List[len(unseen.List)-1] + ": NOT SEEN")
			}
		}
		fmt.Printf("%s: %d resets dropped, %d argued, %d not seen\n", b, len(got), argued, open)
		row := []string{b}
		for _, n := range []int{len(got), first, later, argued, open} {
			row = append(row, strconv.Itoa(n))
		}
		counted.Rows = append(counted.Rows, row)
		all = append(all, got...)
	}
	if err := report.WriteMarkdownSheets(os.Stdout, []report.Sheet{{Head: counted.Head, Rows: counted.Rows}}); err != nil {
		return 2, err
	}
	doc.Sheets = []report.Sheet{counted}
	if len(unseen.List) > 0 {
		doc.Sheets = append(doc.Sheets, unseen)
	}
	doc.Outcome = fmt.Sprintf("%s: every dropped reset must fail a bench or have an argument in "+
		"cosim/audit/fault/survivors.yaml (%.0f s).", map[int]string{0: "PASS", 1: "FAIL"}[code], time.Since(begin).Seconds())
	if err := table.Write(doc.WriteMarkdown); err != nil {
		return 2, fmt.Errorf("-markdown: %w", err)
	}
	if file == "" {
		return code, nil
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(file, append(text, '\n'), 0o644)
	}
	return code, err
}
