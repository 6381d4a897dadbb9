// Package score compares a device with its model: bit for bit, cycle for cycle.
//
// It works on packed cycle records and knows a block only by its schema, so one judge serves every block. Control bits
// are always compared; a stream's payload only where it is valid in the model. A difference is data, never an error.
//
//	j := score.NewJudge(block)
//	for _, d := range j.Diff(want, got) {
//		fmt.Println(d) // rsp_cwnd: want 9000, got 9001 (+1 LSB)
//	}
package score
