package cover_test
import ("testing";"os";"fmt";"time";"github.com/goldwire/goldwire/cosim/cover")
func TestZZ(t *testing.T){
 if os.Getenv("ZZ")=="" { t.Skip() }
 for _,b:=range cover.Blocks(){
  tot,_:=cover.New(b,nil)
  for seed:=uint64(10);seed<18;seed++{
   c,_:=cover.New(b,nil)
   t0:=time.Now()
   play(t,c,b,"directed",seed,0)
   de,dc:=c.Events,c.Cycles
   play(t,c,b,"random",seed,200000)
   r:=c.Report()
   fmt.Println(b,seed,de,dc,c.Events,c.Cycles,float64(c.Events)/float64(c.Cycles),r.Hit,r.Bins-r.Unreachable,r.Missed,r.Impossible,c.Differences(),time.Since(t0))
   tot.Merge(c)
  }
  n:=0
  for _,x:=range tot.Low(80){ fmt.Println("low",b,x); n++; if n>60 {break} }
 }
}
