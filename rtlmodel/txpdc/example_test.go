package txpdc_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/txpdc"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// A message of 10000 bytes is three packets. The second one does not come; a NACK of it has it sent again.
func ExampleSource_Turn() {
	s := txpdc.NewSource(txpdc.DefaultSpec())
	var rsp port.Response
	var x port.Act
	s.Command(&port.Cmd{Kind: port.KindOpen, PDC: 5, Data: 700}, 0, &rsp, &x)
	s.Command(&port.Cmd{Kind: port.KindMessage, PDC: 5, Data: 10000}, 0, &rsp, &x)
	for now := range uint64(4) {
		s.View(&port.View{Kind: 5, Ctx: 1, CanSend: true}) // what ccc answers to a SEND
		s.Turn(now, &x)
		fmt.Printf("PSN %d: %d bytes, again %t, last %t\n", x.PSN, x.Size, x.IsRtx, x.Eom)
		if x.Eom {
			s.Record(&port.Rec{PdsType: port.PdsTypeNack, Dpdcid: 6, PSN: 701, NackCode: 1}, now, &x)
		}
	}
	s.Record(&port.Rec{PdsType: port.PdsTypeAck, Dpdcid: 6, Spdcid: 9, PSN: 702, AckPSN: 702}, 5, &x)
	fmt.Printf("%s of %d packets, done %t\n", x.Kind, x.AckedPkts, x.Done)
	// Output:
	// PSN 700: 4160 bytes, again false, last false
	// PSN 701: 4160 bytes, again false, last false
	// PSN 702: 1872 bytes, again false, last true
	// PSN 701: 4160 bytes, again true, last false
	// ACKED of 3 packets, done true
}
