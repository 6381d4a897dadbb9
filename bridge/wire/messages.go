package wire

import (
	"slices"
	"strings"
)

// The control messages. On the wire each is a msgpack map with the keys below; unknown keys are skipped,
// absent ones are zero.

// Hello is the first frame of both sides: the DUT's on connecting, then the client's. Either side refuses
// what differs.
type Hello struct {
	Version    int    `msgpack:"version"`
	Block      string `msgpack:"block"`
	SchemaHash string `msgpack:"schema_hash"`
	Params     string `msgpack:"params"`    // "Name=value" sorted by name, joined by commas
	InWords    int    `msgpack:"in_words"`  // words of an input record
	OutWords   int    `msgpack:"out_words"` // words of an output record
	Token      string `msgpack:"token"`     // secret of the session, from the environment of the DUT process
	Simulator  string `msgpack:"simulator,omitempty"`
	Flags      string `msgpack:"flags,omitempty"` // build flags
	Trace      bool   `msgpack:"trace,omitempty"` // built with waves
	PID        int    `msgpack:"pid,omitempty"`
	Requests   string `msgpack:"requests,omitempty"` // what the DUT serves, joined by commas; "" is DefaultRequests
}

// DefaultRequests is what a DUT serves when its hello does not name its requests.
const DefaultRequests = "configure,batch,finish,step,bench,trace,shm"

// Serves reports whether the sender of the hello answers requests of that name: that of a frame type, or shm.
func (h *Hello) Serves(request string) bool {
	list := h.Requests
	if list == "" {
		list = DefaultRequests
	}
	return slices.Contains(strings.Split(list, ","), request)
}

// Configure makes a new model object: registers and memories get initial values drawn from Seed
// (Reset 2), all zeros (0) or all ones (1). The cycle count of the model starts at 0.
type Configure struct {
	Seed   uint32 `msgpack:"seed"`
	Reset  int    `msgpack:"reset"`
	Shm    string `msgpack:"shm,omitempty"`     // file to map; only in the first Configure of a session
	ShmLen uint64 `msgpack:"shm_len,omitempty"` // its size in bytes
	ReqOff uint64 `msgpack:"req_off,omitempty"` // byte offset of the request half of the step mailbox
	RspOff uint64 `msgpack:"rsp_off,omitempty"` // byte offset of the response half
	MbxCyc uint64 `msgpack:"mbx_cyc,omitempty"` // cycles the mailbox holds
}

// Batch asks to replay Cycles cycles and compare each. With Shm the input records stand at byte InOff and
// the expected output records at WantOff of the mapped file; else both follow as bulk, in this order.
type Batch struct {
	Cycles  int    `msgpack:"cycles"`
	Shm     bool   `msgpack:"shm,omitempty"`
	InOff   uint64 `msgpack:"in_off,omitempty"`
	WantOff uint64 `msgpack:"want_off,omitempty"`
}

// Result answers a Batch when its buffer is free again.
type Result struct {
	Cycles int   `msgpack:"cycles"`  // cycles simulated, fewer than asked after a mismatch
	BusyNs int64 `msgpack:"busy_ns"` // time spent simulating and comparing
}

// Mismatch reports the first differing cycle of a run. Its bulk holds Count records each of input, expected
// output and actual output, three blocks in this order; the first is of cycle From.
type Mismatch struct {
	Cycle uint64 `msgpack:"cycle"` // from the start of the run
	From  uint64 `msgpack:"from"`
	Count int    `msgpack:"count"`
}

// Finished answers Finish.
type Finished struct {
	Cycles   uint64 `msgpack:"cycles"` // compared and found equal
	Digest   uint64 `msgpack:"digest"` // over the compared outputs, see Digest
	Mismatch bool   `msgpack:"mismatch"`
	BusyNs   int64  `msgpack:"busy_ns"`
}

// Step runs the input records of its bulk. With Until not 0 it stops after the first cycle whose output
// word 0 has a bit of Until set, and repeats the last record until Max cycles are run.
type Step struct {
	Cycles int    `msgpack:"cycles"`
	Until  uint64 `msgpack:"until,omitempty"`
	Max    int    `msgpack:"max,omitempty"`
}

// Stepped answers Step; its bulk holds one output record per cycle run.
type Stepped struct {
	Cycles int `msgpack:"cycles"`
}

// Ask offers Events events one after the other and returns every response. Its bulk holds one input record
// per event, with the valid bit of each stream that it is for; the other control bits are ignored.
type Ask struct {
	Events int `msgpack:"events"`
}

// Answer answers Ask. Its bulk holds one output record per response, in order, with the valid bit of its
// stream and nothing of the others.
type Answer struct {
	Responses int    `msgpack:"responses"`
	Cycles    uint64 `msgpack:"cycles"` // cycles the model ran for it
}

// Described answers Describe: one control bit or field per line, see RecordText.
type Described struct {
	In  string `msgpack:"in"`
	Out string `msgpack:"out"`
}

// Bench replays a vector file Reps times in a tight loop with an inline compare.
type Bench struct {
	File string `msgpack:"file"`
	Reps int    `msgpack:"reps"`
}

// Benched answers Bench.
type Benched struct {
	Cycles     uint64 `msgpack:"cycles"` // over all repetitions
	Ns         int64  `msgpack:"ns"`
	Mismatches uint64 `msgpack:"mismatches"` // cycles that differed
}

// Trace dumps waves of Cycles cycles from cycle From of the model on into File; 0 cycles ends a dump.
type Trace struct {
	File   string `msgpack:"file"`
	From   uint64 `msgpack:"from"`
	Cycles uint64 `msgpack:"cycles"`
}

// Progress shows that the DUT is at work, not hung.
type Progress struct {
	Cycles uint64 `msgpack:"cycles"`
}

// Failure is the content of an Error frame.
type Failure struct {
	Kind   string `msgpack:"kind"` // see KindError
	Text   string `msgpack:"text"`
	Ours   string `msgpack:"ours,omitempty"`   // value of the sender
	Theirs string `msgpack:"theirs,omitempty"` // value of the receiver
	Cycle  uint64 `msgpack:"cycle,omitempty"`  // cycle of the run, for kind "rtl"
}
