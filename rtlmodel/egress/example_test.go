package egress_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/egress"
	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// A packet above the trim threshold enters the medium queue with its length after trimming.
func ExampleQueues() {
	q := egress.NewQueues(egress.DefaultSpec())
	cfg := q.Config()
	cfg[port.RegTrim] = 5000
	q.SetConfig(cfg)
	for id := range uint32(2) {
		var r port.Enqr
		q.Enq(&port.Enq{Port: 1, Len: 4096, Trimmable: true, TrimSize: 64, Id: id}, &r)
		fmt.Println("packet", r.Id, r.Verdict, r.Cls, r.Len)
	}
	for range 3 {
		var r port.Deqr
		q.Deq(&port.Deq{Port: 1}, &r)
		fmt.Println("sent", r.Id, r.Cls, r.Len, "empty", r.Empty)
	}
	// Output:
	// packet 0 ADMIT LOW 4096
	// packet 1 TRIM MEDIUM 64
	// sent 1 MEDIUM 64 empty false
	// sent 0 LOW 4096 empty false
	// sent 0 LOW 0 empty true
}
