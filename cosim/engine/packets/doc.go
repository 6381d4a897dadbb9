// Package packets judges a block's output packets only by what happens at its ports, and hands out those that the
// device is known to have sent.
//
//	w := packets.New(schema, layout, emit, 0)
//	p := play.New(schema, layout, model, w)
//	... play an episode ...
//	if f := w.Found(); f != nil {
//		fmt.Println(f.Text)
//	}
//
// A Judge is an observer of play.Player. It knows neither the model nor the run.
package packets
