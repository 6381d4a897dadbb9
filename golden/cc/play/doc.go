// Package play plays hand-written events through one congestion control, without a network, and shows its state after
// each of them.
//
//	rep, err := play.Run(file, play.Options{CC: "swift", Rows: cc.Rows()})
//	rep.WriteText(os.Stdout) // a table: line, time, event, window, rate, rule, state
//	rep.Pass                 // every expectation in the file holds
//
// A file has one JSON object on each line; blank lines and lines that begin with # are skipped. Times are us, and
// numbers are those of one connection whose packets are numbered from 0:
//
//	{"ev": "open", "cc": "swift", "set": {"link_gbps": 800, "base_rtt": 6.25, "mtu": 4160}}
//	{"t": 0, "ev": "send", "n": 100}
//	{"t": 10, "ev": "ack", "rtt": 7.0, "expect": {"w": 150.2}}
//	{"dt": 1, "ev": "timer"}
//
// Fields of all events: t (absolute) or dt (since the event before), times and every (repeat the event so often, so far
// apart), expect (values after the event, within tol, 1e-6 unless told; action is a text). Events, and their fields:
//
//   - open: cc, set (settings and parameters by name). Only the first line may be one; without it defaults count.
//   - data: size, bytes that join the backlog.
//   - send: n new packets (1) of size bytes (a packet of mtu), or psn, one to be sent again. The window does not hold
//     them back.
//   - ack: acked, the packets that it newly acknowledges, or n (1), the n oldest; psn, the packet that caused it (the
//     last of them); rtt, its sample, in place of the time since psn was sent, or sample: false; ecn; una and nxt, in
//     place of what follows from the events before; flows; int, a list of {gbps, ts, tx, q} in Gb/s, us, bytes, bytes.
//   - nack: psn (the oldest in flight), reason "trimmed" or "last_hop", ecn.
//   - loss: psn (the oldest in flight), by "timeout" or "hole".
//   - cnp: port and fair, in units of 10 Mb/s, of a switch that sends it; neither of a receiver that does.
//   - credit: a pull; credit is the quanta of 256 bytes granted since the opening.
//   - timer: the timer that the control asked for. Without t or dt it comes when it is due; never before.
//   - state: set, parts of the state. The control does not answer it: expect action, window, rate, inflight, timer and
//     can_send of the next event.
//
// Losses that the control finds itself follow the event as rows of their own; expect looks at the state after them.
// A packet that was lost is sent again only by a send event.
package play
