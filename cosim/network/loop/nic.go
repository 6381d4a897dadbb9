package loop

import (
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
	ports
	next  int64 // cycle of the network to be executed
	quiet int   // cycles in which nothing passed a port
	stuck int   // ... after which a NIC with work stands still: longer than any timeout, or wait for a context

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
	params := model.Spec{Contexts: nicContexts, Receives: nicReceives, Pipeline: spec.Settings.Pipeline}
	if params.Pipeline > 0 && spec.Control == NICRTL {
		return nil, fmt.Errorf("nic.pipeline = %d: the pipeline of the RTL is fixed: set it to 0, or cc to %s",
			params.Pipeline, NICModel)
	}
	if r.between != nil {
		spec.Out = r.between(spec.Out)
	}
	n := &hostNIC{spec: spec, stuck: int((128*spec.RTO + 2*spec.Settings.PathRTO()) / transport.Period)}
	if spec.Control == NICRTL {
		n.tape = &tape{}
	}
	if err := n.host.init(&spec, params, r.tickNs); err != nil {
		return nil, err
	}
	if r.Resident > 0 {
		n.host.rows = n.host.rows[:min(r.Resident, nicContexts)]
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

// leavingValids are the valids of everything that leaves but answers to commands.
const leavingValids = port.OutNoteValid | port.OutIndValid | port.OutTxValid

// begin resets the block and has it configured.
func (n *hostNIC) begin() error {
	var err error
	if n.block, err = model.New(n.host.params); err != nil {
		return err
	}
	for range 2 {
		n.play(0)
	}
	limit := 100*n.host.setup + port.Window*port.Slots*n.host.params.Contexts + n.host.params.Receives
	for i := 0; n.host.setup > 0; i++ {
		if i == limit {
			return fmt.Errorf("the block is not configured after %d cycles", limit)
		}
		if err := n.step(true); err != nil {
			return err
		}
		if n.out[0]&leavingValids != 0 {
			return errors.New("something leaves before the network begins")
		}
	}
	if n.tape != nil {
		n.tape.idle = uint64(n.next)
	}
	n.next = 0
	return nil
}

// resting is a cycle of a rest.
var resting = ports{
	in:  [port.InWords]uint64{port.InRstN | port.InIndReady | port.InNoteReady | port.InRspReady | port.InTxReady},
	out: [port.OutWords]uint64{port.OutRxReady | port.OutCmdReady},
}

// skip is n cycles of a rest of the model.
func (n *hostNIC) skip(cycles int) {
	n.block.Skip(cycles)
	n.quiet += cycles
	n.next += int64(cycles)
	if n.tape != nil {
		n.tape.add(&resting, cycles)
	}
}

// play is a cycle with the control bits and payload of in.
func (n *hostNIC) play(control uint64) {
	n.in[0] |= control
	n.block.Cycle(n.in[:], n.out[:])
	if n.tape != nil {
		n.tape.add(&n.ports, 1)
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
	if out&(leavingValids|port.OutRspValid) != 0 {
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
	size, zeros := bits.OnesCount64(x.Keep), x.Data == beats.Data{}
	if len(n.head) < transport.FrameHead {
		var b [beats.Size]byte
		beats.Get(&x.Data, b[:])
		n.head = append(n.head, b[:size]...)
		zeros = !slices.ContainsFunc(b[size:], func(v byte) bool { return v != 0 })
	}
	if x.Keep&(x.Keep+1) != 0 || !zeros {
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
func (n *hostNIC) Cycle(number int64, room bool) (next int64) {
	err := error(nil)
	if n.block == nil {
		err = n.begin()
	}
	for err == nil && n.next < number {
		if k := n.block.Rests(int(min(number-n.next, longRest))); k > 0 {
			n.skip(k)
			continue
		}
		n.play(resting.in[0])
		if n.out[0]&^resting.out[0] != 0 {
			err = fmt.Errorf("something leaves in cycle %d, in which the NIC was to rest", n.next-1)
		}
	}
	if err == nil && n.next > number {
		err = fmt.Errorf("cycle %d comes after cycle %d", number, n.next-1)
	}
	if err == nil {
		err = n.step(room)
	}
	if err == nil && n.quiet > n.stuck && (len(n.came) > 0 || n.host.busy()) {
		err = fmt.Errorf("it stands still: %w", n.done())
	}
	if err != nil {
		n.fail(err)
		return transport.Never
	}
	return n.wakes()
}

// longRest is the number of cycles for which the model is asked at once whether it rests.
const longRest = 1024

// wakes returns the next cycle that must be executed in its time.
func (n *hostNIC) wakes() int64 {
	most := longRest
	if len(n.came) > 0 || n.host.offer() != nil {
		return n.next
	}
	if !n.host.busy() {
		if most = n.rest() - n.quiet; most <= 0 {
			return transport.Never
		}
		most-- // the last one is executed, and ends the rest
	}
	return n.next + int64(n.block.Rests(most))
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
	if len(r.nics) == 0 || res.Stopped || res.Time == res.Spec.MaxTime {
		return nil // packets are under way, and the result says so
	}
	var all counted
	stopped := uint64(0)
	for _, n := range r.nics {
		if n.block == nil {
			continue // nothing came in
		}
		var own counted
		err := n.done()
		if err == nil {
			err = n.count(&own)
		}
		if err == nil {
			err = own.same(n.spec.Count)
		}
		if err != nil {
			return fmt.Errorf("NIC of host %d: %w", n.spec.Host, err)
		}
		all.add(&own)
		stopped += n.host.stopped
	}
	if kept := all.destination[ackgen.WordOpens] - all.destination[ackgen.WordCloses]; kept > stopped {
		return fmt.Errorf("%d PDCs stay open at their destinations, and %d were stopped", kept, stopped)
	}
	return all.same(&res.Counters)
}
