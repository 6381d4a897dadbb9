// Package serve answers any number of clients at once with a golden model: it plays the DUT of bridge/PROTOCOL.md on a
// listening socket, with a model in Go in place of the RTL.
//
//	l, address, err := launch.Listen("unix:/tmp/gold.sock")
//	s, err := serve.New(serve.Spec{Block: schema, New: func() (serve.Model, error) { return model() }})
//	fmt.Println(address)
//	err = s.Serve(ctx, l)          // nil once ctx has ended and every client is gone
//
// Each conversation has a model of its own, made by its configure. A client that breaks the protocol, or a
// model that panics, ends its own conversation and no other.
package serve
