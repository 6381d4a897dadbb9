// Number of the lowest one of a vector.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    switchport/contract.md "Slots": the lowest-numbered free slot. In two steps, a group
//              of up to 32 and a place in it, so that wide vectors do not make one long chain.
module gw_first_one #(
  parameter int Width = 32,
  parameter int IndexW = 5     // clog2(Width), at least 1
) (
  input  logic [Width-1:0]  ones_i,
  output logic              any_o,
  output logic [IndexW-1:0] index_o   // 0 if there is none
);
  localparam int Group  = (Width > 32) ? 32 : Width;
  localparam int Groups = Width / Group;
  localparam int GroupW = (Groups > 1) ? $clog2(Groups) : 1;
  localparam int PlaceW = (Group > 1) ? $clog2(Group) : 1;

  logic [Groups-1:0] some;
  logic [Group-1:0]  chosen;
  logic [GroupW-1:0] group;
  logic [PlaceW-1:0] place;

  function automatic logic [GroupW-1:0] first_group(input logic [Groups-1:0] v);
    first_group = '0;
    for (int k = Groups - 1; k >= 0; k--) begin
      if (v[k]) first_group = k[GroupW-1:0];
    end
  endfunction

  function automatic logic [PlaceW-1:0] first_place(input logic [Group-1:0] v);
    first_place = '0;
    for (int k = Group - 1; k >= 0; k--) begin
      if (v[k]) first_place = k[PlaceW-1:0];
    end
  endfunction

  for (genvar k = 0; k < Groups; k++) begin : gen_some
    assign some[k] = |ones_i[Group*k +: Group];
  end

  assign group = first_group(some);
  assign any_o = |some;
  assign place = first_place(chosen);

  if (Groups > 1) begin : gen_groups
    logic [IndexW-1:0] from;
    assign from    = {group, {PlaceW{1'b0}}};
    assign chosen  = ones_i[from +: Group];
    assign index_o = {group, place};
  end else begin : gen_one
    assign chosen  = ones_i;
    assign index_o = place;

    logic unused;
    assign unused = ^group;
  end
endmodule
