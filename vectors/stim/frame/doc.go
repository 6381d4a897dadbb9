// Package frame makes the Ethernet frames that the blocks of a switch meet: VLAN tags, IPv4 with options and IPv6, UDP,
// UET and an INT header, right or wrong in every way that a contract distinguishes, and cuts them into beats.
//
//	f := frame.Good(1, true, 0).WithSize(200) // one tag, IPv6
//	frame.Beats(&r, &b, f.Bytes(&r, nil), false, func(i int, b *frame.Beat) { ... })
package frame
