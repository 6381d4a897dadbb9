package loop

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/rtlmodel/beats"
	model "github.com/goldwire/goldwire/rtlmodel/nic"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// Names of the congestion controls of a run whose hosts are NICs in hardware: NSCC, and all else of a NIC.
const (
	NICModel = fields.NSCC + "-nicmodel"
	NICRTL   = fields.NSCC + "-nic"
)

// nicRows returns their rows.
func nicRows() []cc.Row {
	reads := []string{"target.us", "qa_gate", "avg_without_sample", "ack_trigger"}
	model := append(slices.Clone(reads), "nic.pipeline")
	return []cc.Row{
		{Name: NICModel, About: "every host is the clocked model of block nic, sender and receiver", Reads: model, NIC: true},
		{Name: NICRTL, About: "every host is block nic on the Verilated RTL, sender and receiver", Reads: reads, NIC: true},
	}
}

// hostNIC is the clocked model of the NIC of one host, with what stands at its ports: the link, and the host's
// software. What arrives waits in a queue in front of rx, which has no end. Notes, indications and answers to commands
// are taken at once.
type hostNIC struct {
	spec transport.NICSpec
	host software

	block *model.Model // nil until it is needed first
	in    [port.InWords]uint64
	out   [port.OutWords]uint64
	next  int64 // cycle of the network to be executed
	quiet int   // cycles in which nothing passed a port

	came    []arrived // frames at rx, the first one from beat on
	beat    int
	head    []byte // of the frame that leaves
	length  int
	pending []arrived // frames that are to be indicated
	frames  uint64    // that came in and left
	tape    *tape     // nil where the NIC is not played on a device
}

// arrived is a frame that has arrived.
type arrived struct {
	number uint32
	conn   int32
	frame  transport.Frame
}

// newNIC returns the NIC of a host. It errors when the block cannot do what the spec asks for.
func (r *closed) newNIC(spec transport.NICSpec) (transport.NIC, error) {
	params := model.Spec{Contexts: cmp.Or(r.Resident, nicContexts), Receives: nicReceives,
		Pipeline: spec.Settings.Pipeline}
	if params.Pipeline > 0 && spec.Control == NICRTL {
		return nil, fmt.Errorf("nic.pipeline = %d: the pipeline of the RTL is fixed: set it to 0, or cc to %s",
			params.Pipeline, NICModel)
	}
	if r.between != nil {
		spec.Out = r.between(spec.Out)
	}
	n := &hostNIC{spec: spec}
	if spec.Control == NICRTL {
		n.tape = newTape()
	}
	if err := n.host.init(&spec, params, r.tickNs); err != nil {
		return nil, err
	}
	r.nics = append(r.nics, n)
	return n, nil
}

// Parameters of the block in all runs, so that one build serves them. Contexts beyond wait until one is free. The more
// PDCs a destination has, the longer it searches for that of a packet with syn, and in an incast nearly all have it.
const nicContexts, nicReceives = 16, 128

// rest is the number of cycles without a transfer after which a NIC is idle inside, except for the timers of packets in
// flight: the longest search of ackgen, and the latency of every pipeline.
func (n *hostNIC) rest() int { return 512 + n.host.params.Receives/ackgen.Lanes }

// leaving are the valids of everything that leaves but answers to commands.
const leaving = port.OutNoteValid | port.OutIndValid | port.OutTxValid

// begin resets the block and has it configured.
func (n *hostNIC) begin() error {
	var err error
	if n.block, err = model.New(n.host.params); err != nil {
		return err
	}
	for range 2 {
		n.play(0)
	}
	n.next = 0
	limit := 100*n.host.setup + port.Window*port.Slots*n.host.params.Contexts + n.host.params.Receives
	for i := 0; n.host.setup > 0; i++ {
		if i == limit {
			return fmt.Errorf("the block is not configured after %d cycles", limit)
		}
		if err := n.step(true); err != nil {
			return err
		}
		if n.out[0]&leaving != 0 {
			return errors.New("something leaves before the network begins")
		}
	}
	n.next = 0
	if n.tape != nil {
		n.tape.idle = n.tape.cycles
	}
	return nil
}

// play is a cycle with the control bits and payload of in.
func (n *hostNIC) play(control uint64) {
	n.in[0] |= control
	n.block.Cycle(n.in[:], n.out[:])
	if n.tape != nil {
		n.tape.add(n.in[:], n.out[:])
	}
	clear(n.in[:])
	n.next++
}

// step is a cycle out of reset.
func (n *hostNIC) step(room bool) error {
	control := uint64(port.InRstN | port.InIndReady | port.InNoteReady | port.InRspReady)
	if len(n.came) > 0 && n.host.setup == 0 {
		n.present()
		control |= port.InRxValid
	}
	if c := n.host.offer(); c != nil {
		port.PackCmd(c, n.in[:])
		control |= port.InCmdValid
	}
	if room {
		control |= port.InTxReady
	}
	n.play(control)
	n.quiet++
	out := n.out[0]
	if out&port.OutRxReady != 0 && control&port.InRxValid != 0 {
		n.accepted()
	}
	if out&port.OutCmdReady != 0 && control&port.InCmdValid != 0 {
		n.quiet = 0
		n.host.offered = true
	}
	return n.take(room)
}

// take takes what is at the outputs.
func (n *hostNIC) take(room bool) error {
	out := n.out[0]
	if out&(leaving|port.OutRspValid) != 0 {
		n.quiet = 0
	}
	if out&port.OutRspValid != 0 {
		var x port.Response
		port.UnpackResponse(n.out[:], &x)
		if err := n.host.answered(&x); err != nil {
			return err
		}
	}
	if out&port.OutNoteValid != 0 {
		var x port.Note
		port.UnpackNote(n.out[:], &x)
		if err := n.host.note(&x); err != nil {
			return err
		}
	}
	if out&port.OutIndValid != 0 {
		var x port.Ind
		port.UnpackInd(n.out[:], &x)
		if err := n.indicated(&x); err != nil {
			return err
		}
	}
	if out&port.OutTxValid != 0 && room {
		var x port.Tx
		port.UnpackTx(n.out[:], &x)
		return n.leaves(&x)
	}
	return nil
}

// present puts the next beat of the oldest frame at rx.
func (n *hostNIC) present() {
	a := &n.came[0]
	at := beats.Size * n.beat
	left := min(a.frame.Length-at, beats.Size)
	x := port.Rx{Tag: a.number, Last: at+beats.Size >= a.frame.Length, Keep: ^uint64(0) >> (beats.Size - left)}
	if at < len(a.frame.Head) {
		var b [beats.Size]byte
		copy(b[:], a.frame.Head[at:])
		beats.Set(&x.Data, b[:])
	}
	port.PackRx(&x, n.in[:])
}

// accepted is a transfer at rx.
func (n *hostNIC) accepted() {
	n.quiet = 0
	if n.beat++; beats.Size*n.beat >= n.came[0].frame.Length {
		n.came, n.beat = n.came[1:], 0
		n.frames++
	}
}

// indicated judges an indication: each frame of data or control has one, in the order of arrival.
func (n *hostNIC) indicated(x *port.Ind) error {
	if len(n.pending) == 0 || n.pending[0].number != x.Tag {
		return fmt.Errorf("an indication of frame %d, and %d frames are to be indicated", x.Tag, len(n.pending))
	}
	a := n.pending[0]
	n.pending = n.pending[1:]
	if x.Answered {
		n.host.owed = append(n.host.owed, a)
	}
	n.spec.Out.Took(x.Tag, ackgen.Verdict(x.Verdict))
	return nil
}

// leaves is a transfer at tx.
func (n *hostNIC) leaves(x *port.Tx) error {
	var b [beats.Size]byte
	beats.Get(&x.Data, b[:])
	size := bits.OnesCount64(x.Keep)
	zeros := b[:]
	if len(n.head) < transport.FrameHead {
		n.head, zeros = append(n.head, b[:size]...), b[size:]
	}
	if x.Keep&(x.Keep+1) != 0 || slices.ContainsFunc(zeros, func(v byte) bool { return v != 0 }) {
		return fmt.Errorf("a frame of PDC %d has bytes other than 0 in its payload, or after its end", x.Tag)
	}
	n.length += size
	if !x.Last {
		return nil
	}
	f := transport.Frame{Head: n.head, Length: n.length}
	n.head, n.length = n.head[:0], 0
	n.frames++
	conn, err := n.host.departs(x, f)
	if err == nil {
		n.spec.Out.Depart(conn, f)
	}
	return err
}

// Arrive implements transport.NIC.
func (n *hostNIC) Arrive(number uint32, conn int32, judged bool, f transport.Frame) {
	f.Head = append([]byte(nil), f.Head...)
	a := arrived{number, conn, f}
	n.came = append(n.came, a)
	if judged {
		n.pending = append(n.pending, a)
	}
}

// Open implements transport.NIC.
func (n *hostNIC) Open(p *transport.Peer) { n.fail(n.host.open(p)) }

// Send implements transport.NIC.
func (n *hostNIC) Send(conn int32, bytes int64) { n.fail(n.host.send(conn, bytes)) }

// Close implements transport.NIC.
func (n *hostNIC) Close(conn int32) { n.host.close(conn) }

func (n *hostNIC) fail(err error) {
	if err != nil {
		n.spec.Out.Fail(err)
	}
}

// Cycle implements transport.NIC.
func (n *hostNIC) Cycle(number int64, room bool) bool {
	err := error(nil)
	if n.block == nil {
		err = n.begin()
	}
	for err == nil && n.next < number {
		n.play(port.InRstN | port.InIndReady | port.InNoteReady | port.InRspReady | port.InTxReady)
		if n.out[0]&^(port.OutRxReady|port.OutCmdReady) != 0 {
			err = fmt.Errorf("something leaves in cycle %d, in which the NIC was to rest", n.next-1)
		}
	}
	if err == nil && n.next > number {
		err = fmt.Errorf("cycle %d comes after cycle %d", number, n.next-1)
	}
	if err == nil {
		err = n.step(room)
	}
	n.fail(err)
	return err == nil && (n.quiet < n.rest() || len(n.came) > 0 || n.host.busy())
}

// done returns an error unless everything that came in has been judged, and everything noted has left.
func (n *hostNIC) done() error {
	if k := len(n.pending) + len(n.came); k > 0 {
		return fmt.Errorf("%d frames were not judged", k)
	}
	return n.host.done()
}

// endNICs returns an error unless the NICs of a run that is over, if there are any, have done what the network saw.
func (r *closed) endNICs(res *result.Result) error {
	if len(r.nics) == 0 || res.Stopped || len(res.Unfinished()) > 0 {
		return nil // the result says so
	}
	var all counted
	for _, n := range r.nics {
		if n.block == nil {
			continue // nothing came in
		}
		err := n.done()
		if err == nil {
			err = n.count(&all)
		}
		if err != nil {
			return fmt.Errorf("NIC of host %d: %w", n.spec.Host, err)
		}
	}
	return all.same(&res.Counters)
}
