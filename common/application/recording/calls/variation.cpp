#include "common/application/recording/calls/variation.hpp"

#include <algorithm>

namespace trilane {

Variation variation_of(std::span<const std::uint64_t> values) {
  for (std::size_t turn = 1; turn == 1 || turn <= values.size() / 2; ++turn) {
    if (turn >= values.size()) return Variation::constant;
    if (std::equal(values.begin() + static_cast<std::ptrdiff_t>(turn), values.end(),
                   values.begin())) {
      return turn == 1 ? Variation::constant : Variation::alternates;
    }
  }
  return Variation::changes;
}

}  // namespace trilane
