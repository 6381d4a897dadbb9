package block

// all is the list of blocks, in the order in which a vector suite has them. The first is the default of every command.
var all = []*Block{&ccc, &txstate, &ackparse, &ackgen, &credit, &txpdc, &nic, &egress, &intmd, &switchport, &trimmer}
