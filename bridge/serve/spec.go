package serve

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// Model is a cycle-true model of a block. Reset is power-on; Cycle is one clock cycle on packed records and
// writes all of out.
type Model interface {
	Reset()
	Cycle(in, out []uint64)
}

// Requests lists what a Server answers, as in its hello.
const Requests = "configure,batch,finish,step,ask,describe"

// Spec describes what is served.
type Spec struct {
	Block  *event.Block
	Params map[string]int        // as the models are made; the schema's defaults where absent
	New    func() (Model, error) // a model for one conversation
	Name   string                // what runs, for the hello's simulator; "": "Go model"
	Token  string                // that clients must repeat; "" where the socket alone protects

	MaxClients   int           // with an accepted hello, at once; 0: 64
	HelloTimeout time.Duration // from a connection to its hello; 0: 10 s
}

// Server serves one block.
type Server struct {
	spec   Spec
	hello  wire.Hello
	layout *event.Layout
	slots  chan struct{} // one per client whose hello was accepted

	mu        sync.Mutex
	strangers []net.Conn // connections without an accepted hello, oldest first
}

// Until its hello is accepted a connection costs little: no model, no place among the clients, no large frame.
const (
	maxStrangers  = 256 // at once; one more ends the oldest
	strangerBytes = 64 << 10
)

// New returns a server. It errors when the parameters do not fit the schema or no model can be made.
func New(spec Spec) (*Server, error) {
	if spec.Block == nil || spec.New == nil {
		return nil, errors.New("serve: a block and a way to make its model are needed")
	}
	params, err := wire.ParamText(spec.Block, spec.Params)
	if err != nil {
		return nil, err
	}
	if _, err := spec.New(); err != nil {
		return nil, fmt.Errorf("model of block %s: %w", spec.Block.Name, err)
	}
	if spec.Name == "" {
		spec.Name = "Go model"
	}
	if spec.MaxClients <= 0 {
		spec.MaxClients = 64
	}
	if spec.HelloTimeout <= 0 {
		spec.HelloTimeout = 10 * time.Second
	}
	l := event.NewLayout(spec.Block)
	return &Server{spec: spec, layout: l, slots: make(chan struct{}, spec.MaxClients),
		hello: wire.Hello{Version: wire.Version, Block: spec.Block.Name, SchemaHash: spec.Block.Hash(), Params: params,
			InWords: l.In.Words, OutWords: l.Out.Words, Simulator: spec.Name, Requests: Requests}}, nil
}

// Hello returns the hello that the server sends.
func (s *Server) Hello() wire.Hello { return s.hello }
