// Package smartt is the window of SMaRTT in float64, the base of NSCC (congestion-control.md, section 3). An ACK's mark
// and its round trip against a target of 1.5 base round trips choose one of four rules. Windows are bytes, times us.
//
//	spec := smartt.DefaultSpec(100, 12, 4096) // Gb/s, base RTT, bytes of a packet
//	s := smartt.NewState(&spec)
//	s.OnAck(&spec, smartt.Ack{RTT: 12, Bytes: 4096}) // clean and short: proportional and fair increase
//
// # Decisions
//
//   - The cap at the acknowledged size bounds the multiplicative part of a change only.
//   - A round trip equal to the target is long.
//   - With wait to decrease the average of marks moves with each ACK, before it is looked at.
//   - A loss (NACK of a trimmed packet, or timeout) takes the size of the packet off the window.
//   - An ACK without a sample moves the average and nothing else.
//   - Quick adapt and fast increase are off unless switched on. A window of quick adapt begins with the first ACK after
//     the end of the one before; the bytes to ignore count down with the bytes that ACKs bring.
package smartt
