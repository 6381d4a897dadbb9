// Package client runs a DUT process from Go: it starts the process, checks that it is the right one, feeds it and
// notices when it dies or hangs.
//
//	s, err := client.Start(ctx, bin, client.DefaultOptions())
//	defer s.Close()
//	for more {
//		b, err := s.Get()          // a free buffer; blocks while the window is full
//		for !b.Full() {
//			in, want := b.Next()
//			...                    // fill the cycle's input and expected output record
//		}
//		err = s.Submit(b)
//	}
//	res, err := s.Finish()         // res.Mismatch is nil when every cycle was equal
//
// Batches run ahead of the DUT, which compares in place and answers with a digest or with the first
// differing cycle. Step returns outputs instead, one call at a time, for closed loops and debugging.
// Dial opens the same Session with a server that listens already; Ask gives it events instead of cycles.
// A Session is for one goroutine; Close may be called from any.
package client
