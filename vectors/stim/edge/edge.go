// Package edge holds the directed cases that the blocks of a NIC's edge share: headers of every family that end
// anywhere, have one thing wrong or one bit flipped, and sums at their ends.
package edge

import (
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Block is what the cases need to know of a block.
type Block struct {
	Kinds   []uint8                           // PDS types that it takes
	Longest uint8                             // the one of the longest header
	Header  func(kind uint8, n int) frame.PDS // a good header, with numbers of its own
	Native  uint8                             // IP protocol of native UET
	Send    func(s *stim.Script, data []byte, tag uint32, empty bool, wait uint8)
}

// Add takes a case.
type Add func(name, doc string, write func(s *stim.Script))

// Cases gives add the cases of the block.
func (b *Block) Cases(add Add) {
	for _, fam := range frame.Families {
		b.headerCases(add, fam.Name, func() frame.Frame { return frame.Good(fam.Tags, fam.V6, fam.Options) })
	}
	b.spoiltCases(add)
}

// headerCases are about the headers of a family: where they end, and each of their bits.
func (b *Block) headerCases(add Add, family string, good func() frame.Frame) {
	add("types/"+family, "every PDS type with every next header, over UDP and native", func(s *stim.Script) {
		for i := range 32 * 16 {
			f := good()
			f.SrcPort = uint16(i)
			p := b.Header(b.Longest, i)
			p.State = append(p.State, p.State...) // enough for each type
			p.Type, p.Next, p.Flags = uint8(i/16), uint8(i%16), uint8(i%128)
			if f.WithPDS(&p); i%2 == 1 {
				f.Native, f.Proto = true, b.Native
			}
			b.Send(s, f.Bytes(&s.Rand, nil), uint32(i), false, 0)
		}
	})
	add("cut/"+family, "frames of each type that end anywhere, and IP packets that do", func(s *stim.Script) {
		for i, kind := range b.Kinds {
			p := b.Header(kind, 77)
			f := good()
			f.WithPDS(&p)
			f.NoSum = i%2 == 0
			whole := f.Bytes(&s.Rand, nil)
			for n := range len(whole) {
				b.Send(s, whole[:n], uint32(n), n%3 == 0, 0)
			}
			for n := range len(p.Bytes()) + 3 {
				g := f
				g.Body = n
				b.Send(s, g.Bytes(&s.Rand, nil), uint32(n), false, 0)
				g.Native, g.Proto = true, b.Native
				b.Send(s, g.Bytes(&s.Rand, nil), uint32(n), false, 0)
			}
		}
	})
	about := "each bit of each header flipped, with and without a checksum, over UDP and native"
	add("bits/"+family, about, func(s *stim.Script) {
		for _, kind := range b.Kinds {
			for form := range 3 {
				p := b.Header(kind, 0x5a)
				f := good()
				f.WithPDS(&p)
				f.NoSum = form == 1
				if form == 2 {
					f.Native, f.Proto = true, b.Native
				}
				data := f.Bytes(&s.Rand, nil)
				for bit := range 8 * len(data) {
					data[bit/8] ^= 1 << (bit % 8)
					b.Send(s, data, uint32(bit), false, 0)
					data[bit/8] ^= 1 << (bit % 8)
				}
			}
		}
	})
	add("padding/"+family, "packets of every length with every padding up to a beat", func(s *stim.Script) {
		for n := range 140 {
			f := good().With(b.Header(b.Kinds[n%len(b.Kinds)], n))
			f.Body += n
			f.Pad = n * 37 % 65
			f.Ones = n%5 == 0
			b.Send(s, f.Bytes(&s.Rand, nil), uint32(n), n%2 == 0, 0)
		}
	})
}

// spoiltCases are frames with one thing wrong, and lengths and sums at their ends.
func (b *Block) spoiltCases(add Add) {
	for _, w := range []struct {
		name  string
		spoil func(f *frame.Frame, i int)
	}{
		{"ethertype", (*frame.Frame).WrongEtherType},
		{"tags", func(f *frame.Frame, i int) {
			f.Tags, f.TPID = 1+i%3, []uint16{0x8100, 0x88a8, 0x9100, 0x8101}[i/2%4]
			f.Inner = []uint16{0x88a8, 0x8100, 0x9100, 0x88a9, 0x08a8}[i/2%5]
		}},
		{"version", func(f *frame.Frame, i int) { f.Version = uint8(i % 16) }},
		{"ihl", func(f *frame.Frame, i int) { f.V6, f.IHL = false, uint8(i%16) }},
		{"fragment", func(f *frame.Frame, i int) { f.V6, f.Frag = false, 1<<(i%16) }},
		{"protocol", func(f *frame.Frame, i int) { f.Proto = uint8(i) }},
		{"length", func(f *frame.Frame, i int) {
			d := []int{-1000, -60, -19, -9, -8, -7, -6, -2, -1, 1, 2, 7, 8, 60, 1000, 30000}[i%16]
			if i/16%3 != 1 {
				f.IPLen = max(d, -f.Body-9)
			}
			if i/16%3 != 0 {
				f.UDPLen = d
			}
		}},
		{"one-bit", func(f *frame.Frame, i int) { *f = frame.OneBit(f, i%frame.OneBits) }},
		{"port", func(f *frame.Frame, i int) { f.DstPort = uint16(4793 ^ 1<<(i%17)) }},
		{"sums", func(f *frame.Frame, i int) {
			f.BadSum, f.BadHead, f.NoSum, f.Ones = i%5 == 0, i%7 == 0, i%4 == 0, i%3 == 0
		}},
	} {
		add("spoilt/"+w.name, "frames with one thing wrong, in every family", func(s *stim.Script) {
			for i := range 256 {
				fam := frame.Families[i%len(frame.Families)]
				f := frame.Good(fam.Tags, fam.V6, fam.Options).With(b.Header(b.Kinds[i%len(b.Kinds)], i))
				f.Body += i % 41
				w.spoil(&f, i/len(frame.Families)+i)
				b.Send(s, f.Bytes(&s.Rand, nil), uint32(i), false, 0)
			}
		})
	}
	add("cut/with-headers", "frames that end with the IP header, or up to three bytes after it", func(s *stim.Script) {
		for tags := range 3 {
			for k := range 12 {
				f := frame.Good(tags, k%3 == 1, k%3/2*7).With(b.Header(b.Kinds[0], k))
				f.EndWithHeaders(k / 3)
				b.Send(s, f.Bytes(&s.Rand, nil), uint32(k), false, 0)
			}
		}
	})
	add("sums/one-bit", "a checksum that is off by each single bit, in the IPv4 header and in UDP", func(s *stim.Script) {
		for i := range 16 * 2 * len(b.Kinds) {
			f := frame.Good(i%3, false, i%4).With(b.Header(b.Kinds[i/32], i))
			f.Body += i % 33
			data := f.Bytes(&s.Rand, nil)
			at := f.L2() + 10
			if i%2 == 1 {
				at = f.UDP() + 6
			}
			data[at+i/2%16/8] ^= 1 << (i / 2 % 8)
			b.Send(s, data, uint32(i), false, 0)
		}
	})
	add("sums/long", "datagrams of up to 65,507 bytes of payload, whose sums carry often", func(s *stim.Script) {
		for i, n := range []int{1500, 9000, 16000, 32768, 49152, 65507} {
			for k := range 4 {
				f := frame.Good(0, k%2 == 1, 0).With(b.Header(b.Kinds[(i+k)%len(b.Kinds)], i))
				f.Body = n - k
				f.BadSum, f.Pad = k > 1, (i+k)%3*100
				data := f.Bytes(&s.Rand, nil)
				if k == 1 { // words of all ones
					for j := f.UDP() + 60; j < len(data)-f.Pad; j++ {
						data[j] = 0xff
					}
					f.Fix(data)
				}
				b.Send(s, data, uint32(n), false, 0)
			}
		}
	})
	about := "IPv6 addresses of ones, which make the pseudo header's sum as large as it can be"
	add("sums/addresses", about, func(s *stim.Script) {
		for i := range 40 {
			f := frame.Good(i%3, true, 0).With(b.Header(b.Kinds[i%len(b.Kinds)], i))
			f.Body += i * 50
			data := f.Bytes(&s.Rand, nil)
			for k := f.L2() + 8; k < f.UDP(); k++ {
				data[k] = 0xff
			}
			f.Fix(data)
			b.Send(s, data, uint32(i), false, 0)
		}
	})
	add("wide/length", "frames of 2^17 bytes and more around a short packet", func(s *stim.Script) {
		for i, n := range []int{65535, 65536, 131070, 131071, 131072, 131073, 140000} {
			f := frame.Good(0, i%2 == 0, 0).With(b.Header(b.Longest, i))
			f.Pad = n - f.Size()
			b.Send(s, f.Bytes(&s.Rand, nil), uint32(n), false, 0)
		}
		for i := range 40 {
			f := frame.Good(0, i%2 == 0, 0).With(b.Header(b.Kinds[0], i))
			f.Pad = 30
			f.Claim([]int{65535, 32768, 49152, 16384, 8192, 4096, 2048, 1024}[i%8] + i/8)
			b.Send(s, f.Bytes(&s.Rand, nil), uint32(i), false, 0)
		}
	})
}

// Spoil makes a good frame one that is dropped below its PDS header, by reason i of 10.
func Spoil(f *frame.Frame, i int) {
	switch i {
	case 0:
		f.Cut = 10
	case 1:
		f.Raw, f.EtherType = true, 0x0806
	case 2:
		f.Version = 5
	case 3:
		f.Frag = 1
	case 4:
		f.V6, f.Proto = true, 43
	case 5:
		f.Proto = 6
	case 6:
		f.UDPLen = 1
	case 7:
		f.BadHead = true
	case 8:
		f.BadSum = true
	case 9:
		f.DstPort = 9
	}
}
