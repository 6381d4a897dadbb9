package fabric

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/presets"
)

func TestScratch(t *testing.T) {
	seeds := 5
	for _, link := range []string{"100", "400"} {
		for _, w := range []string{"incast8", "incast32", "permutation"} {
			for _, m := range []string{"nscc-htsim", "rccc", "nscc+rccc"} {
				if o := os.Getenv("ONLY"); o != "" && !strings.Contains(link+w+m, o) {
					continue
				}
				p, err := presets.Lookup("htsim/permutation-" + link + "g")
				require.NoError(t, err)
				set := "link.latency_us=1 cc=" + m
				if link == "100" {
					set += " queue.bytes=178450 queue.ctl_bytes=356900 ecn.kmin_bytes=37350 ecn.kmax_bytes=145250 rto.us=100.656"
				} else {
					set += " queue.bytes=626650 queue.ctl_bytes=1253300 ecn.kmin_bytes=128650 ecn.kmax_bytes=502150 rto.us=90.198"
				}
				if m != "nscc-htsim" {
					set += " ecn.last_hop=off"
				}
				switch w {
				case "incast8":
					set += " workload=incast incast=8"
				case "incast32":
					set += " workload=incast incast=32 flow.bytes=1e6"
				}
				for _, kv := range strings.Fields(set+" "+os.Getenv("SET")) {
					k, v, _ := strings.Cut(kv, "=")
					require.NoError(t, p.Spec.Set(k, v))
				}
				var mean, p99, rtx, acks, pulls, rts float64
				text := ""
				for _, r := range seedsOf(t, p.Spec, seeds) {
					f, c := r.FCT(), r.Counters
					n := float64(seeds)
					mean += f.Mean / n
					p99 += f.P99 / n
					rtx += float64(c.Retransmits) / n
					acks += float64(c.Acks) / n
					pulls += float64(c.CreditsArrived) / n
					rts += float64(c.CreditRequests) / n
					text += fmt.Sprintf(" %.1f/%v/%v", f.Mean, c.Retransmits, c.Credits)
				}
				fmt.Printf("%s %s %s mean %.2f p99 %.2f rtx %.0f rts %.1f acks %.0f pulls %.0f | %s\n", w, link, m, mean, p99, rtx, rts, acks, pulls, text)
			}
		}
	}
}
