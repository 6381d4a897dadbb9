package fault
import ("testing";"fmt";"context";"time";"os")
func TestSch(t *testing.T){
 b:=os.Getenv("BLK")
 d,err:=Load("/work/main",b); if err!=nil{t.Fatal(err)}
 fs:=d.Draw(1)[:240]
 t0:=time.Now()
 next:=240
 s,err:=d.buildAll(context.Background(),"/tmp/gwf/sch-"+b,fs,func(f *Fault)*Fault{fmt.Println("refused",f); next++; return d.Draw(1)[next-1]})
 if err!=nil{t.Fatal(err)}
 fmt.Println(len(s.faults),time.Since(t0))
}
