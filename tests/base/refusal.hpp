// Shared by tests: the message of a refusal, and a text with what may be refused.
#pragma once

#include "tests/framework.hpp"

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

/// Returns `text` with the first `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, "no " + from + " in the text");
  return text.replace(at, from.size(), to);
}

}  // namespace trilane
