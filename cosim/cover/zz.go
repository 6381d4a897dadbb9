package cover
import "fmt"
func (c *Collector) Low(n uint64) (o []string){ for i,b:=range c.plan.bins { if b.proof==nil && c.hits[i]<n { o=append(o,fmt.Sprint(b.name,"=",c.hits[i]))}}; return}
