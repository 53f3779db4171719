#include "common/ask/parts/words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/text/size.hpp"

namespace trilane {

std::string time_in_words(double us) {
  const double size = std::abs(us);
  if (size >= 1e6) return format_us(us / 1e6) + " s";
  if (size >= 1e3) return format_us(us / 1e3) + " ms";
  return format_us(us) + " us";
}

}  // namespace trilane
