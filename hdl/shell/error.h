// The only exception type of the shell: a failure with its kind, the name that an error message
// carries.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace gw {

struct Error : std::runtime_error {
  Error(std::string kind_, const std::string& text, std::string ours_ = "", std::string theirs_ = "")
      : std::runtime_error(text), kind(std::move(kind_)), ours(std::move(ours_)), theirs(std::move(theirs_)) {}
  std::string kind;    // see bridge/PROTOCOL.md, "error"
  std::string ours;    // the two values, when something differs
  std::string theirs;
};

}  // namespace gw
