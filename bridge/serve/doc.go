// Package serve answers any number of clients at once with what a golden model does: it plays the DUT of
// bridge/PROTOCOL.md on a socket it listens on, with a model in Go in the place of RTL.
//
//	l, address, err := launch.Listen("unix:/tmp/gold.sock")
//	s, err := serve.New(serve.Spec{Block: schema, New: func() (serve.Model, error) { return model() }})
//	fmt.Println(address)
//	err = s.Serve(ctx, l)          // nil once ctx has ended and every client is gone
//
// Each conversation has a model of its own, made by its configure. A client that breaks the protocol, or a
// model that panics, ends its own conversation and no other.
package serve
