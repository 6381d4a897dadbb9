// Command schemagen regenerates everything that follows from the block schemas: hdl/gen and the Go
// packages under vectors/event. It prints the files that changed.
//
//	go run ./vectors/event/cmd/schemagen -root .
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/goldwire/goldwire/vectors/event/internal/schemagen"
)

func main() {
	root := flag.String("root", ".", "root of the repository")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "schemagen writes hdl/gen and vectors/event/<block> from "+
			"vectors/event/<block>/schema.yaml")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "schemagen: unexpected argument %q: it takes flags only\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(2)
	}
}

func run(root string) error {
	files, err := schemagen.All(root)
	if err != nil {
		return err
	}
	changed, err := schemagen.Write(root, files)
	for _, path := range changed {
		fmt.Println(path)
	}
	return err
}
