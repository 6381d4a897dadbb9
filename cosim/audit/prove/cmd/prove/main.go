// Command prove proves the rows of hdl/prove and prints a line for each:
//
//	prove [-list] [-long] [-only REGEXP] [-jobs N] [-json FILE] [-markdown FILE] [ROOT]
//
// Rows that need long are played with -long alone; without it they are named and count as nothing.
//
// Exit codes: 0 every row is proven and each of its twins fails, 1 a property does not hold, 2 a row is not proven or a
// tool failed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/cosim/audit/prove"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	list := flag.Bool("list", false, "print the names of the rows and exit")
	only := flag.String("only", "", "prove the rows whose names match")
	long := flag.Bool("long", false, "prove the rows that need long, too")
	jobs := flag.Int("jobs", 2, "rows proven at the same time")
	file := flag.String("json", "", "file for the result")
	table := flag.String("markdown", "", "file for the tables, with revision and machine")
	flag.Parse()
	code, err := play(ctx, *list, *long, *only, *file, *table, *jobs, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		code = max(code, 2)
	}
	os.Exit(code)
}

func play(ctx context.Context, list, long bool, only, file, markdown string, jobs int, root string) (code int,
	err error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return 2, fmt.Errorf("-only: %w", err)
	}
	if root, err = filepath.Abs(root); err != nil {
		return 2, err
	}
	all, err := prove.Load(root)
	if err != nil {
		return 2, err
	}
	pairs, err := prove.LoadPairs(root)
	if err != nil {
		return 2, err
	}
	survivors, argued, err := prove.Survivors(root, pairs)
	if err != nil {
		return 2, err
	}
	rows, left := append(all, survivors...), 0
	if !long {
		rows, left = prove.Short(rows)
	}
	every := rows
	rows = nil
	for _, r := range every {
		if match.MatchString(r.Name) {
			rows = append(rows, r)
		}
	}
	if list {
		for _, r := range rows {
			fmt.Printf("%-28s %s\n", r.Name, r.Claim)
		}
		return 0, nil
	}
	if file != "" { // an earlier result must not pass for this one
		if err := report.Remove(file); err != nil {
			return 2, fmt.Errorf("-json: %w", err)
		}
	}
	doc := measured.New(root, "go run ./cosim/audit/prove/cmd/prove", os.Args[1:], "yosys", "z3")
	table, err := measured.Take(markdown)
	if err != nil {
		return 2, fmt.Errorf("-markdown: %w", err)
	}
	defer func() { err = errors.Join(err, table.Settle(code < 2)) }()
	begin := time.Now()
	spec := prove.Spec{Root: root, Work: filepath.Join(root, "build", "prove"), Jobs: jobs, Done: func(v *prove.Verdict) {
		fmt.Println(v)
	}}
	got, err := prove.Run(ctx, spec, rows)
	if err != nil {
		return 2, err
	}
	if only == "" { // otherwise what a row stands on may be left out
		if err := prove.Rest(rows, got); err != nil {
			return 2, err
		}
	}
	sum := prove.Sum(got)
	fmt.Printf("\n%s\n", sum)
	note := func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		fmt.Println(line)
		doc.Notes = append(doc.Notes, strings.ToUpper(line[:1])+line[1:]+".")
	}
	if only == "" {
		same := sum.Proven("survivors")
		note("survivors of the fault campaign: %d, proven equivalent here: %d, argued: %d", argued, same, argued-same)
	}
	if left > 0 {
		note("not played, and not claimed, for want of -long: %d rows", left)
	}
	if n := len(every) - len(rows); n > 0 {
		note("left out by -only: %d rows", n)
	}
	note("%.0f s", time.Since(begin).Seconds())
	code = sum.Code()
	if err := table.Write(func(w io.Writer) error { return prove.WriteMarkdown(w, doc, got) }); err != nil {
		return max(code, 2), fmt.Errorf("-markdown: %w", err)
	}
	if file != "" {
		text, err := json.MarshalIndent(got, "", "  ")
		if err == nil {
			err = os.WriteFile(file, append(text, '\n'), 0o644)
		}
		if err != nil {
			return 2, fmt.Errorf("-json: %w", err)
		}
	}
	return code, nil
}
