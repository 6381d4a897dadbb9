package campaign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Figure is a number in a run's result, besides its outcome: for a co-simulation each metric as SECTION/NAME, for other
// commands what figureReaders reads.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// figureReaders read the figures of a command's result. Other commands have none.
var figureReaders = map[string]func(text []byte) ([]Figure, error){"faults": faultFigures, "diff": diffFigures}

// readFigures returns the figures of a command's result, in order of name. It errors if the result is not the
// command's.
func readFigures(command string, text []byte) ([]Figure, error) {
	read := figureReaders[command]
	if read == nil {
		return nil, nil
	}
	out, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("its result is not of goldwire %s: %w", command, err)
	}
	slices.SortFunc(out, func(a, b Figure) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// Names of the figures of a fault campaign are BLOCK/WHAT, and BLOCK/caught in SOURCE.
const (
	planted  = "planted"
	caught   = "caught"
	caughtIn = "caught in "
)

// CaughtIn returns the block and the source whose caught faults a figure counts.
func (f *Figure) CaughtIn() (block, source string, ok bool) {
	block, what, _ := strings.Cut(f.Name, "/")
	source, ok = strings.CutPrefix(what, caughtIn)
	return block, source, ok
}

// faultFigures reads the result of goldwire faults: planted faults, caught faults, and the source that caught each
// first.
func faultFigures(text []byte) (out []Figure, err error) {
	type score struct {
		Total  int            `json:"total"`
		Caught int            `json:"caught"`
		In     map[string]int `json:"in"`
	}
	var blocks []struct {
		Block string `json:"block"`
		Hand  score  `json:"hand"`
		Drawn score  `json:"drawn"`
	}
	if err := json.Unmarshal(text, &blocks); err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, errors.New("it has no block")
	}
	for _, b := range blocks {
		in := map[string]int{}
		for _, s := range []score{b.Hand, b.Drawn} {
			for source, n := range s.In {
				in[source] += n
			}
		}
		if b.Block == "" || b.Hand.Total+b.Drawn.Total == 0 {
			return nil, errors.New("it has a block without a name or without faults")
		}
		out = append(out, Figure{b.Block + "/" + planted, float64(b.Hand.Total + b.Drawn.Total)},
			Figure{b.Block + "/" + caught, float64(b.Hand.Caught + b.Drawn.Caught)})
		for source, n := range in {
			out = append(out, Figure{b.Block + "/" + caughtIn + source, float64(n)})
		}
	}
	return out, nil
}

// comparesNothing reports whether a command is a comparison whose result has no comparisons.
func comparesNothing(args []string, figures []Figure) bool {
	if len(args) < 2 || args[0] != "diff" || args[1] != "compare" {
		return false
	}
	return !slices.ContainsFunc(figures, func(f Figure) bool { return f.Value > 0 })
}

// diffFigures reads the result of goldwire diff compare: how many signals and decisions have each verdict, such as
// flip. The results of other diff commands have no figures.
func diffFigures(text []byte) (out []Figure, err error) {
	var d struct {
		Counts map[string]float64 `json:"counts"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	for name, n := range d.Counts {
		out = append(out, Figure{name, n})
	}
	return out, nil
}
