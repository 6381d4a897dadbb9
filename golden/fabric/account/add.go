package account

import "reflect"

// Add adds what another part of the same run has counted.
func (c *Counters) Add(o *Counters) {
	to, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(o).Elem()
	for i := range to.NumField() {
		to.Field(i).SetUint(to.Field(i).Uint() + from.Field(i).Uint())
	}
}

// Add adds the bytes of another part of the same run.
func (b *Bytes) Add(o *Bytes) {
	b.Sent, b.Lost, b.Inside = b.Sent+o.Sent, b.Lost+o.Lost, b.Inside+o.Inside
}
