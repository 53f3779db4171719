// Checks what a sentence must contain, whatever its wording: figures, names, the claim.
#pragma once

#include "tests/framework.hpp"

namespace trilane {

/// Returns true if `text` contains all the parts, in this order.
inline boost::test_tools::assertion_result mentions(const std::string& text,
                                                    std::initializer_list<std::string_view> parts) {
  std::size_t from = 0;
  for (const std::string_view part : parts) {
    const std::size_t at = text.find(part, from);
    if (at == text.npos) {
      boost::test_tools::assertion_result missing(false);
      missing.message() << "'" << part << "' is missing, or out of order, in '" << text << "'";
      return missing;
    }
    from = at + part.size();
  }
  return true;
}

/// Joins text that was wrapped to the page's width.
inline std::string on_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\n *"), " ");
}

/// Returns true if `text` contains the part, wherever its lines break.
inline bool holds(const std::string& text, const std::string& part) {
  return on_one_line(text).find(part) != text.npos;
}

}  // namespace trilane
