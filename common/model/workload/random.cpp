#include "common/model/workload/random.hpp"

namespace trilane {

std::uint64_t Random::below(std::uint64_t bound) {
  // 2^64 modulo bound: the number of draws to reject so that all values are equally likely.
  const std::uint64_t leftover = -bound % bound;
  std::uint64_t draw = next();
  while (draw < leftover) draw = next();
  return draw % bound;
}

}  // namespace trilane
