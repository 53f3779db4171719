#include "common/model/workload/drawn.hpp"

#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t most_bytes = 192 << 20;
constexpr double most_work = 0x1p36;  // input words times rounds and depth

/// Returns a number from `least` to `most`, uniform in the logarithm.
std::uint64_t spread(Random& random, std::uint64_t least, std::uint64_t most) {
  const double low = std::log(static_cast<double>(least)),
               high = std::log(static_cast<double>(most) + 1);
  const double drawn = std::exp(std::lerp(low, high, random.share()));
  return std::clamp(static_cast<std::uint64_t>(drawn), least, most);
}

std::uint64_t spread_bytes(Random& random, std::uint64_t least, std::uint64_t most) {
  return word_bytes * spread(random, least / word_bytes, most / word_bytes);
}

std::uint32_t spread_count(Random& random, std::uint32_t most) {
  return static_cast<std::uint32_t>(spread(random, 1, most));
}

Workload drawn(Random& random) {
  Workload drawn;
  const std::uint64_t chunks = spread(random, 1, 200);
  drawn.chunk_bytes = spread_bytes(random, 1 << 10, 12 << 20);
  drawn.bytes = chunks * drawn.chunk_bytes;
  drawn.lanes = static_cast<std::uint32_t>(1 + random.below(8));
  drawn.depth = spread_count(random, 10);
  drawn.rounds = spread_count(random, 2000);
  drawn.order = random.below(2) == 0 ? Order::depth_first : Order::breadth_first;
  drawn.result_bytes = random.below(4) == 0
                           ? spread_bytes(random, word_bytes, drawn.chunk_bytes / 4)
                           : drawn.chunk_bytes;
  return drawn;
}

bool is_too_large(const Workload& workload) {
  const double words = static_cast<double>(workload.bytes / word_bytes);
  return workload.bytes > most_bytes || words * workload.rounds * workload.depth > most_work;
}

}  // namespace

std::vector<Workload> drawn_workloads(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Workload> all;
  while (all.size() < count) {
    Workload next = drawn(random);
    if (is_too_large(next)) continue;
    next.name = fmt::format("{}{}", drawn_name, all.size() + 1);
    all.push_back(std::move(next));
  }
  return all;
}

}  // namespace trilane
