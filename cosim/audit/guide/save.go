package guide

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// Save writes a corpus to a folder, which it makes if needed, and reads it back to check that nothing was lost.
func Save(dir string, c *corpus.Corpus) error {
	kind, err := block.Lookup(c.Block)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrGuide, err)
	}
	path := filepath.Join(dir, corpus.File)
	if err := report.WriteFile(path, func(w io.Writer) error { return c.Write(w, kind.Schema) }); err != nil {
		return fmt.Errorf("%w: %w", ErrGuide, err)
	}
	_, err = corpus.Read(dir, kind.Schema)
	return err
}
