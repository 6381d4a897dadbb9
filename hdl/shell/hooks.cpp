#include "hooks.h"

#include <cstdarg>
#include <cstdio>

#include "error.h"
#include "verilated.h"

namespace gw {

bool alarm_raised = false;

namespace {

std::string alarm_text;
std::string error_line;  // the last line the RTL printed as an error

void raise(const char* what, const char* file, int line) {
  if (alarm_raised) return;  // the first cause is the one to report
  alarm_raised = true;
  alarm_text = error_line;
  if (alarm_text.empty())
    alarm_text = std::string(what) + " at " + (file ? file : "?") + ":" + std::to_string(line);
}

}  // namespace

std::string take_alarm() {
  alarm_raised = false;
  error_line.clear();
  return std::move(alarm_text);
}

}  // namespace gw

// Log text of the RTL goes to stderr, of which the client keeps the last lines; stdout is not for
// the RTL.
extern "C" int gw_vl_printf(const char* format, ...) {
  char buf[4096];
  va_list args;
  va_start(args, format);
  const int n = std::vsnprintf(buf, sizeof buf, format, args);
  va_end(args);
  std::fputs(buf, stderr);
  std::string text = buf;
  if (text.find("%Error") != std::string::npos || text.find("%Fatal") != std::string::npos) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    // The simulator prints its time first, which stays 0 here: the error that carries the line has
    // the cycle.
    if (text.rfind("[0] ", 0) == 0) text.erase(0, 4);
    gw::error_line = text;
  }
  return n;
}

void vl_stop(const char* file, int line, const char*) { gw::raise("$stop", file, line); }

void vl_finish(const char* file, int line, const char*) { gw::raise("$finish", file, line); }

// Without its file a memory would be simulated with arbitrary contents: no result is better than
// that.
void vl_warn(const char* file, int line, const char*, const char* msg) {
  if (std::string(msg).find("$readmem file not found") != std::string::npos)
    throw gw::Error("rtl", std::string("$readmem file not found: ") + (file ? file : "?"));
  gw_vl_printf("%%Warning: %s:%d: %s\n", file ? file : "?", line, msg);
}

// The simulator calls this when it cannot continue (a loop that does not settle), so it must not
// return.
void vl_fatal(const char* file, int line, const char*, const char* msg) {
  throw gw::Error("rtl", std::string(msg) + " at " + (file ? file : "?") + ":" + std::to_string(line));
}
