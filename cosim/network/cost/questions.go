package cost

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fields"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// Question is what a size costs.
type Question struct {
	Name, Title string
	Unit        string // of the values
	Setting     string
	Values      []int // the first is what the others are compared with
	Control     string
	Sets        []string // of all cases
	Cases       []Case
	RTL         string // folder of the block whose area is counted for each value; "" for none
	Param       string // ... of this parameter
	Notes       []string
}

// Case is a workload: a preset with settings over it, PATH=VALUE.
type Case struct {
	About, Preset string
	Sets          []string
}

const (
	permutation = "fattree128/permutation"
	incast      = "fattree128/incast32"
	alltoall    = "fattree128/alltoall"
)

// All returns every question.
func All() []Question {
	return []Question{
		{
			Name: "ack-pipeline", Title: "length of the ACK pipeline", Unit: "cycles of 1 ns", Setting: "nic.pipeline",
			Values: []int{20, 40, 80}, Control: loop.NICModel, Sets: []string{"lb=oblivious", "rtt.us=6"},
			Cases: []Case{
				{"one message of 4 KB", incast, []string{"mtu=4160", "incast=1", "flow.bytes=4096"}},
				{"permutation, 1 MB, packets of 8 KB", permutation, []string{"mtu=8256", "flow.bytes=1048576"}},
				{"permutation, 1 MB, packets of 4 KB", permutation, []string{"mtu=4160", "flow.bytes=1048576"}},
				{"permutation, 4 times 256 KB, packets of 4 KB, 4 contexts", permutation,
					[]string{"mtu=4160", "flow.bytes=262144", "nic.contexts=4"}},
				{"incast of 32, 256 KB, packets of 4 KB", incast, []string{"mtu=4160", "flow.bytes=262144"}},
				{"all to all, 16 hosts, 16 KB, packets of 4 KB", alltoall, []string{"mtu=4160", "k=4"}},
			},
			Notes: []string{
				"Every host is the clocked model of block nic. The pipeline is that of block ccc: the cycles from the issue of " +
					"an ACK, or of any other event, to its answer. The next event of the same context issues no earlier, since it " +
					"needs what the one before has changed; events of other contexts may issue in each cycle.",
				"A message on a new connection passes the pipeline once for each of OPEN, BIND, NEW_DATA, SEND and ACK. A " +
					"context sends its next packet after the answer to the last one, and ACKs take turns with its packets: a NIC " +
					"with one busy context loses line rate where a SEND and a packet's share of an ACK pass the pipeline in more " +
					"time than the link takes for the packet. Longer packets or more busy contexts prevent it.",
				fmt.Sprintf("The round trip is short enough for the %d packets that a PDC of the block can have outstanding. "+
					"They would bound the rate over a longer one.", port.Window),
			},
		},
		{
			Name: "txstate-entries", Title: "entries of txstate", Unit: "entries for each PDC", Setting: "nic.entries",
			Values: []int{4096, 1024, 128}, Control: fields.NSCC + "-fixed",
			Cases: []Case{
				{"permutation, 2 MB, 400 Gb/s", permutation, nil},
				{"permutation, 2 MB, 800 Gb/s", permutation, []string{"link.gbps=800"}},
				{"permutation, 2 MB, 800 Gb/s, packets of 1 KB", permutation, []string{"link.gbps=800", "mtu=1088"}},
				{"permutation, 2 MB, 400 Gb/s, one packet in 10,000 lost on each link", permutation,
					[]string{"loss_prob=1e-4"}},
				{"incast of 32, 2 MB", incast, nil},
				{"all to all, 16 hosts, 16 KB", alltoall, []string{"k=4"}},
			},
			RTL: "hdl/rtl/txstate", Param: "Depth",
			Notes: []string{
				"Senders are simulated hosts with the fixed-point model of ccc. A connection has at most as many packets " +
					"outstanding as entries, counted from the first that is not acknowledged. Too few entries bound its rate to " +
					"entries * packet / round trip, and a lost packet holds all entries after it until it is resent.",
			},
		},
	}
}

// Find returns the questions with the names, all without a name. It errors with the nearest names.
func Find(names []string) ([]Question, error) {
	all := All()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for i := range all {
		known = append(known, all[i].Name)
	}
	var out []Question
	for i, n := range names {
		if err := near.Known("question", n, known, "goldwire fabric cost --help"); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], n) {
			return nil, fmt.Errorf("question %q: given twice; keep one", n)
		}
		out = append(out, all[slices.Index(known, n)])
	}
	return out, nil
}
