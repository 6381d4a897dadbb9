package block

// all is the list of blocks. The order is that of the files of a vector suite; the first is the block of a command that
// names none.
var all = []*Block{&ccc, &txstate, &egress, &intmd, &switchport, &trimmer}
