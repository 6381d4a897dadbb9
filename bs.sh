set -e
n=$1; shift
cd /work/main/hdl
verilator --cc --exe --build -O3 --x-assign unique --x-initial unique -Wno-fatal -Wno-lint --Mdir /tmp/gw_rtl/obj_$n "$@" \
 gen/ccc_types.sv gen/ccc_pkg.sv gen/ccc_top.sv -y rtl --top-module ccc_top -CFLAGS "-O3 -march=native" /tmp/gw_rtl/speed.cpp -o sim -MAKEFLAGS "OPT_FAST=-O3 OPT_SLOW=-O1" > /tmp/gw_rtl/build_$n.log 2>&1 || { grep -iE "error" /tmp/gw_rtl/build_$n.log | head; exit 1; }
