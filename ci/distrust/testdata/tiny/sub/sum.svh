`define SUM(x, y) ({1'b0, x} + {1'b0, y})
