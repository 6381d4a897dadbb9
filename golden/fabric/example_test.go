package fabric_test

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// A preset with another load balancer and flow size, over three seeds.
func Example() {
	p, err := presets.Lookup("fattree128/permutation")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, kv := range [][2]string{{"lb", "reps"}, {"flow.bytes", "200000"}} {
		if err := p.Spec.Set(kv[0], kv[1]); err != nil {
			fmt.Println(err)
			return
		}
	}
	runs, err := fabric.RunSeeds(context.Background(), p.Spec, []uint64{1, 2, 3}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range runs {
		if err := r.Verify(); err != nil {
			fmt.Println(err)
		}
	}
	s := result.Summarise(0, runs...)
	fmt.Printf("%d of %d flows, %d packets, %d trimmed\n", s.Done, s.Flows, s.New, s.Trims)
	// Output: 384 of 384 flows, 18816 packets, 0 trimmed
}
