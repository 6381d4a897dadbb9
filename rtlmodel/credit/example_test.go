package credit_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/credit"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// A sender that wants 100 quanta gets them in two pulls, and then more, slowly.
func ExamplePacer_Pull() {
	p := credit.NewPacer(credit.DefaultSpec())
	var rsp port.Response
	p.Event(&port.Event{Kind: port.KindOpen, Sender: 3}, &rsp)
	p.Event(&port.Event{Kind: port.KindTarget, Sender: 3, Data: 100}, &rsp)
	for range 3 {
		var x port.Pull
		p.Pull(&x)
		fmt.Printf("sender %d: %d, up to %d, slow %t; next after %.1f cycles\n", x.Sender, x.Quanta, x.Number, x.Slow,
			float64(p.Gap(x.Quanta))/(1<<port.Frac))
	}
	// Output:
	// sender 3: 63, up to 63, slow false; next after 325.8 cycles
	// sender 3: 37, up to 100, slow false; next after 191.4 cycles
	// sender 3: 63, up to 163, slow true; next after 325.8 cycles
}
