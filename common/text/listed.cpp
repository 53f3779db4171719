#include "common/text/listed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trilane {

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace trilane
