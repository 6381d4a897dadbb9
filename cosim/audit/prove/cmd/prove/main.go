// Command prove proves the rows of hdl/prove and prints a line for each:
//
//	prove [-list] [-long] [-only REGEXP] [-jobs N] [-json FILE] [ROOT]
//
// Rows that need long are played with -long alone; without it they are named and count as nothing.
//
// Exit codes: 0 every row is proven and each of its twins fails, 1 a property does not hold, 2 a row is not proven or a
// tool failed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/cosim/audit/prove"
	"github.com/goldwire/goldwire/cosim/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	list := flag.Bool("list", false, "print the names of the rows and exit")
	only := flag.String("only", "", "prove the rows whose names match")
	long := flag.Bool("long", false, "prove the rows that need long, too")
	jobs := flag.Int("jobs", 2, "rows proven at the same time")
	file := flag.String("json", "", "file for the result")
	flag.Parse()
	code, err := play(ctx, *list, *long, *only, *file, *jobs, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		code = max(code, 2)
	}
	os.Exit(code)
}

func play(ctx context.Context, list, long bool, only, file string, jobs int, root string) (int, error) {
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
	if only == "" {
		same := sum.Proven("survivors")
		fmt.Printf("survivors of the fault campaign: %d, proven equivalent here: %d, argued: %d\n", argued, same, argued-same)
	}
	if left > 0 {
		fmt.Printf("not played, and not claimed, for want of -long: %d rows\n", left)
	}
	fmt.Printf("%.0f s\n", time.Since(begin).Seconds())
	if file != "" {
		text, err := json.MarshalIndent(got, "", "  ")
		if err == nil {
			err = os.WriteFile(file, append(text, '\n'), 0o644)
		}
		if err != nil {
			return 2, fmt.Errorf("-json: %w", err)
		}
	}
	return sum.Code(), nil
}
