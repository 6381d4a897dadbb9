package show

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// File is a vector file as one JSON object.
type File struct {
	*format.Header
	Totals format.Totals `json:"totals"`
}

// Info prints the header of a file that has been read, and its totals where it is whole.
func Info(out io.Writer, r *format.Reader, whole bool) error {
	h, t := r.Header(), r.Totals()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	p := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	p("block", "%s: %s", h.Block, r.Block().Title)
	p("schema", "%s", h.SchemaHash)
	if h.CompareHash != "" {
		p("masks", "compare hash %s", h.CompareHash)
	}
	if len(h.Relaxed) > 0 {
		p("relaxed", "%s (handshake rules that the design which answered was not held to)", strings.Join(h.Relaxed, ", "))
	}
	if len(h.Constants) > 0 {
		p("constants", "%s (of the dut.yaml; the design did not answer them)", strings.Join(h.Constants, ", "))
	}
	for _, x := range r.Block().Params {
		p("parameter", "%s = %d", x.Name, h.Params[x.Name])
	}
	p("source", "%s", h.Source)
	p("seed", "%s", h.SeedText())
	if h.Level != "" {
		p("level", "%s", h.Level)
	}
	p("generator", "%s", h.Generator)
	p("made by", "%s", tool.CommandLine("goldwire", h.Args))
	pairing := map[string]string{
		format.PairAnswers: "each with its answer", format.PairOrder: "in order within each stream",
	}[h.Pairing]
	p("record", "one per %s (%s)", h.Per, pairing)
	if whole {
		p("records", "%d in %d frames", t.Records, t.Frames)
		p("episodes", "%d", t.Episodes)
		p("resets", "%d", t.Resets)
		p("transfers", "%s", tool.Transfers(r.Block(), &t))
		p("digest", "%s", t.Digest)
	} else {
		p("records", "%d sound, then damage", r.Sound())
	}
	return w.Flush()
}
