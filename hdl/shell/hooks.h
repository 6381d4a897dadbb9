// Included before every file of a build, including the simulator's files. Whatever the simulator
// would print, or end the process for, goes through the shell instead.
#pragma once

#define VL_PRINTF gw_vl_printf

#ifdef __cplusplus
#include <string>

extern "C" int gw_vl_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

namespace gw {

// Set when the RTL stopped the simulation ($error, $fatal, $stop, $finish, a failed assertion). The
// flag is separate from the text, so that testing it in each cycle costs one load.
extern bool alarm_raised;
// Returns the text of the alarm and clears it.
std::string take_alarm();

}  // namespace gw
#endif
