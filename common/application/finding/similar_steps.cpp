#include "common/application/finding/similar_steps.hpp"

#include <utility>

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {
bool same_in_kind(const ObservedCall& one, const ObservedCall& other) {
  return one.kind == other.kind && one.function == other.function && one.stream == other.stream;
}

SimilarSteps::SimilarSteps(std::uint64_t repetitions)
    : repetitions_(repetitions), segments_(repetitions, most_segments), starts_(most_segments) {}

std::optional<FoundPeriod> SimilarSteps::add(const ObservedCall& call, std::uint64_t number) {
  hash_ = mixed(hash_, kind_fingerprint(call));
  if (!is_host_wait(call)) return std::nullopt;
  const std::uint64_t hash = std::exchange(hash_, 0);
  const auto first = std::exchange(first_, number + 1);
  if (!first) return std::nullopt;
  starts_[segment_++ % most_segments] = *first;
  const std::uint64_t period = segments_.add(mixed(hash, number - *first));
  if (period == 0) return std::nullopt;
  const std::uint64_t begin = starts_[(segment_ - repetitions_ * period) % most_segments];
  return FoundPeriod{.calls = (number + 1 - begin) / repetitions_,
                     .first = begin,
                     .repeats = repetitions_,
                     .waits = true};
}

bool launch_in_common(const CallStore& store, const FoundPeriod& period) {
  const std::uint64_t last = period.first + (period.repeats - 1) * period.calls;
  std::uint64_t kernels = 0, same = 0, graphs = 0;
  for (std::uint64_t i = 0; i < period.calls; ++i) {
    const ObservedCall call = store.at(last + i);
    if (call.kind == CallKind::graph_launch) ++graphs;
    if (call.kind != CallKind::kernel) continue;
    for (std::uint64_t back = 1; back < period.repeats; ++back) {
      ++kernels;
      const ObservedCall other = store.at(last + i - back * period.calls);
      if (other.launch.function == call.launch.function) ++same;
    }
  }
  return kernels + graphs > 0 && 2 * same >= kernels;
}

}  // namespace trilane
