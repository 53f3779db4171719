#include "common/application/finding/similar_steps.hpp"

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {

std::optional<FoundPeriod> SimilarSteps::add(const ObservedCall& call, std::uint64_t number,
                                             std::uint64_t fingerprint) {
  hash_ = mixed(hash_, kind_fingerprint(call));
  exact_ = mixed(exact_, fingerprint);
  if (!is_host_wait(call)) return std::nullopt;
  const std::uint64_t hash = std::exchange(hash_, 0);
  const std::uint64_t exact = std::exchange(exact_, 0);
  const auto first = std::exchange(first_, number + 1);
  if (!first) return std::nullopt;
  ended_[segment_++ % most_segments] = {*first, exact};
  const std::uint64_t period = segments_.add(mixed(hash, number - *first));
  if (period == 0) return std::nullopt;
  const std::uint64_t begin = ended_[(segment_ - repetitions_ * period) % most_segments].first;
  const FoundPeriod found{.calls = (number + 1 - begin) / repetitions_,
                          .first = begin,
                          .repeats = repetitions_,
                          .waits = true};
  note_step(period, found);
  return found;
}

/// Notes the last step of `period` segments. It has not returned if only its predecessor equals it.
void SimilarSteps::note_step(std::uint64_t period, const FoundPeriod& found) {
  const std::uint64_t end = found.first + found.repeats * found.calls;
  calls_ = found.calls;
  if (runs_.size() > most_lengths) runs_.clear();
  Run& run = runs_[calls_];
  if (run.end + most_others * calls_ < end)
    run = {.begin = found.first, .growing_from = found.first};
  run.end = end;
  if (period > most_step_segments) {
    run.growing_from = end;
    return;
  }
  std::uint64_t exact = 0;
  for (std::uint64_t i = segment_ - period; i < segment_; ++i) {
    exact = mixed(exact, ended_[i % most_segments].exact);
  }
  if (known_.size() >= most_segments) known_.clear();
  const auto [known, is_new] = known_.try_emplace(exact, segment_);
  const bool returns = !is_new && segment_ - std::exchange(known->second, segment_) > period;
  if (returns) run.growing_from = end;
}

bool launch_in_common(const CallStore& store, const FoundPeriod& period) {
  const std::uint64_t last = period.first + (period.repeats - 1) * period.calls;
  std::uint64_t kernels = 0, same = 0, graphs = 0;
  for (std::uint64_t i = 0; i < period.calls; ++i) {
    const std::uint64_t left = (period.calls - i) * (period.repeats - 1);
    if (2 * same + left < kernels) return false;  // even if all of the others are the same
    const ObservedCall& call = store.peek(last + i);
    if (call.kind == CallKind::graph_launch) ++graphs;
    if (call.kind != CallKind::kernel) continue;
    for (std::uint64_t back = 1; back < period.repeats; ++back) {
      ++kernels;
      const ObservedCall& other = store.peek(last + i - back * period.calls);
      if (other.launch.function == call.launch.function) ++same;
    }
  }
  return kernels + graphs > 0 && 2 * same >= kernels;
}

}  // namespace trilane
