package block

// all is the list of blocks. The order is that of the files of a vector suite.
var all = []*Block{&ccc, &txstate, &egress, &intmd, &switchport, &trimmer}
