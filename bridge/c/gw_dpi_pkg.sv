// What a SystemVerilog scoreboard calls to compare a device with a golden-model server: see gw_client.h,
// whose functions these are, and example/ccc_tb.sv.
//
//   chandle gold = gw_connect("unix:/tmp/gold.sock", "ccc", hash, "");
//                                                       // hash: $sformatf("%h", ccc_pkg::SCHEMA_HASH)
//   if (gold == null) $fatal(1, "no golden model");       // gw_connect has printed why
//   verdict = gw_push(gold, "ev", ev);                    // an event the device has taken
//   verdict = gw_expect(gold, "rsp", rsp);                // a response it gives: what differs is printed
//   verdict = gw_finish(gold);                            // and responses that it never gave
//   gw_close(gold);
//
// Call them in statements of their own, as above: in a larger expression (a && gw_push(...), a case) Verilator
// 5.006 calls a function more or less often than written.
//
// A payload is the packed struct of the stream (hdl/gen/<block>_types.sv): its first field is the most
// significant. It is assigned to gw_bits_t, which fills the bits above with zeros. An X or Z in a response is
// a difference, in an event an error.
package gw_dpi_pkg;

  localparam int GW_BITS = 4096;  // as wide as the widest payload may be
  typedef logic [GW_BITS-1:0] gw_bits_t;

  localparam int GW_MATCH    = 0;
  localparam int GW_MISMATCH = 1;
  localparam int GW_BROKEN   = -1;  // the reason is printed

  import "DPI-C" gw_dpi_connect = function chandle gw_connect(
    input string address, input string block, input string schema_hash, input string params
  );
  import "DPI-C" gw_dpi_push = function int gw_push(
    input chandle g, input string stream, input gw_bits_t payload
  );
  import "DPI-C" gw_dpi_expect = function int gw_expect(
    input chandle g, input string stream, input gw_bits_t payload
  );
  import "DPI-C" gw_dpi_finish = function int gw_finish(input chandle g);
  import "DPI-C" gw_dpi_reset = function int gw_reset(input chandle g);
  import "DPI-C" gw_dpi_close = function void gw_close(input chandle g);

endpackage
