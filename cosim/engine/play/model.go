package play

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event"
)

// ModelError is the error of a model, or of one of its observers, that panics or stalls.
type ModelError struct{ text string }

func (e *ModelError) Error() string { return e.text }

// NewModel returns a model of a block. Errors name the block; a panic in the constructor is an error too.
func NewModel(kind *block.Block, params map[string]int) (model event.Model, err error) {
	defer func() {
		if err != nil {
			model, err = nil, fmt.Errorf("model of block %s: %w", kind.Name(), err)
		}
	}()
	defer Guard(&err)
	if model, err = kind.NewModel(params); err == nil && model == nil {
		err = errors.New("its constructor made no model")
	}
	return model, err
}

// Guard turns a panic into a ModelError that names the place.
func Guard(err *error) {
	if r := recover(); r != nil {
		*err = &ModelError{fmt.Sprintf("%s: %v", panicked(), r)}
	}
}

// panicked returns who panicked, and at which line: the first frame above the panic outside the runtime.
func panicked() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	begun := false
	for {
		f, more := frames.Next()
		begun = begun || f.Function == "runtime.gopanic"
		if begun && !strings.HasPrefix(f.Function, "runtime.") {
			what := "the model or an observer of it"
			switch {
			case strings.Contains(f.Function, "/rtlmodel/"):
				what = "the model"
			case strings.Contains(f.Function, "/cosim/cover"):
				what = "the coverage follower"
			}
			return fmt.Sprintf("%s panicked at %s:%d", what, filepath.Base(f.File), f.Line)
		}
		if !more {
			return "the model or an observer of it panicked"
		}
	}
}
