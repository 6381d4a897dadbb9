// Command distrust plays the campaign against false passes and prints a line for each attempt:
//
//	distrust [-list] [-only REGEXP] [ROOT]
//
// Exit codes: 0 no attempt passed, 1 an attempt passed, 2 the campaign could not be played.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/goldwire/goldwire/ci/distrust"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	list := flag.Bool("list", false, "print the names of the attempts and exit")
	only := flag.String("only", "", "play the attempts whose names match")
	flag.Parse()
	code, err := play(ctx, *list, *only, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "distrust:", err)
		code = 2
	}
	os.Exit(code)
}

func play(ctx context.Context, list bool, only, root string) (int, error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return 2, fmt.Errorf("-only: %w", err)
	}
	all, err := distrust.All()
	if err != nil {
		return 2, err
	}
	if list {
		for i := range all {
			if match.MatchString(all[i].Name) {
				fmt.Println(all[i].Name)
			}
		}
		return 0, nil
	}
	if root, err = filepath.Abs(root); err != nil {
		return 2, err
	}
	w, err := distrust.NewWorld(ctx, root)
	if err != nil {
		return 2, err
	}
	defer w.Close()
	played, failed, skipped := 0, 0, 0
	for i := range all {
		if !match.MatchString(all[i].Name) {
			continue
		}
		if ctx.Err() != nil {
			return 2, fmt.Errorf("interrupted after %d attempts", played)
		}
		played++
		switch err := w.Try(ctx, &all[i]); {
		case distrust.Skipped(err):
			skipped++
			fmt.Printf("skipped     %s: %v\n", all[i].Name, err)
		case err != nil:
			failed++
			fmt.Printf("NOT CAUGHT  %s: %v\n", all[i].Name, err)
		default:
			fmt.Printf("caught      %s\n", all[i].Name)
		}
	}
	fmt.Printf("%d attempts at a false pass: %d caught, %d not caught, %d skipped\n", played, played-failed-skipped,
		failed, skipped)
	switch {
	case played == 0:
		return 2, fmt.Errorf("-only %s: no attempt has such a name", only)
	case failed > 0:
		return 1, nil
	}
	return 0, nil
}
