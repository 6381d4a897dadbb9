package client
import ("testing";"time";"slices";"math/rand/v2";"path/filepath";"github.com/stretchr/testify/require";"github.com/goldwire/goldwire/bridge/launch")
func TestCCCTmp(t *testing.T){
 a:=time.Now()
 bin,err:=launch.Build(t.Context(),launch.BuildSpec{Root:"../..",Block:"ccc"})
 require.NoError(t,err)
 t.Log("build",time.Since(a),bin.Cached)
 const n=400000
 iw,ow:=bin.InWords,bin.OutWords
 in:=make([]uint64,n*iw); want:=make([]uint64,n*ow)
 rng:=rand.New(rand.NewPCG(1,1))
 for i:=range n { for k:=range iw {in[i*iw+k]=rng.Uint64()}; c:=uint64(7); if i<4 {c=0}; in[i*iw]=in[i*iw]&^7|c; in[i*iw]&^=0xff00<<7 }
 opt:=DefaultOptions(); opt.Transport=Shm
 s,err:=Start(t.Context(),bin,opt); require.NoError(t,err)
 require.NoError(t,s.Step(in,want))
 s.Close()
 file:=filepath.Join(t.TempDir(),"v")
 require.NoError(t,WriteVectors(file,bin,in,want))
 for range 2 {
 for _,tr:=range []Transport{Unix,TCP,Shm}{
  opt.Transport=tr
  s,err:=Start(t.Context(),bin,opt); require.NoError(t,err)
  var nat,br []float64
  for range 5 {
   r,err:=s.Bench(file,1); require.NoError(t,err); require.Zero(t,r.Mismatches)
   nat=append(nat,r.CyclesPerSecond())
   require.NoError(t,s.Restart(1))
   a:=time.Now(); require.NoError(t,s.Replay(in,want)); res,err:=s.Finish(); require.NoError(t,err); require.Nil(t,res.Mismatch)
   br=append(br,n/time.Since(a).Seconds())
  }
  slices.Sort(nat); slices.Sort(br)
  s.Restart(1)
  out:=make([]uint64,ow)
  var lat []time.Duration
  for i:=range 20000 {a:=time.Now(); s.Step(in[i*iw:i*iw+iw],out); lat=append(lat,time.Since(a))}
  slices.Sort(lat)
  t.Logf("%s native %.0f bridge %.0f ratio %.3f (best/best %.3f) batch %d; step p50 %v mean-ish p90 %v", tr,nat[2],br[2],br[2]/nat[2],br[4]/nat[4],s.target.Load(),lat[10000],lat[18000])
  s.Close()
 }}
}
