// Shared by the tests of the command line: the message of a refusal.
#pragma once

#include <string>

namespace trilane {

/// Returns the message of the `Error` that `call` throws, or a text that no message contains.
template <typename Error, typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(not refused)";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace trilane
