#include "common/application/replay/expected_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/application/replay/candidates/candidate.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

/// Number of runs of the same calls that are compared with one another.
constexpr int runs_compared = 3;

void name_uncertain(const Uncertain& uncertain, const Snapshot& snapshot, const char* where,
                    std::vector<UncertainMemory>& named) {
  const std::vector<std::uint64_t> bytes = uncertain.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t all = snapshot.memory()[i].bytes;
    if (bytes[i] == 0) continue;
    named.push_back({fmt::format("{} {}", where, i), std::min(bytes[i], all), all});
  }
}

std::uint64_t total(const std::vector<std::uint64_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

}  // namespace

Expected expected_of(const TakenIteration& taken, Snapshot before) {
  Snapshot after(before.memory());
  const Restorer start(before, stream_of(taken));
  const auto candidate = make_candidate(ReplayWay::nothing, taken);
  const auto run = [&] {
    TRILANE_DRIVER(cuCtxSynchronize);
    start.restore();
    candidate->iteration().poison();
    double issuing_us = 0;
    candidate->run(issuing_us);
    TRILANE_DRIVER(cuCtxSynchronize);
  };
  run();
  Snapshot first(before.memory()), outputs(candidate->iteration().outputs());
  Uncertain uncertain, uncertain_outputs;
  for (int i = 1; i < runs_compared; ++i) {
    run();
    uncertain.add(first, Snapshot(before.memory()));
    uncertain_outputs.add(outputs, Snapshot(candidate->iteration().outputs()));
  }
  const auto missed = after.differences(first, uncertain);
  if (!missed.empty()) {
    throw NotPossible(fmt::format(
        "the same calls leave other bytes than the application did, {} of them in device memory "
        "{}: the result differs from run to run, or something else changes memory, such as the "
        "host through a mapped pointer",
        missed.front().bytes, missed.front().memory));
  }
  return {std::move(before), std::move(after), std::move(uncertain), std::move(outputs),
          std::move(uncertain_outputs)};
}

std::vector<UncertainMemory> named_uncertain(const Expected& expected) {
  std::vector<UncertainMemory> named;
  name_uncertain(expected.uncertain, expected.after, "device memory", named);
  name_uncertain(expected.uncertain_outputs, expected.outputs, "the copy to host memory", named);
  return named;
}

double uncertain_share(const Expected& expected) {
  Uncertain changed = expected.uncertain;
  changed.add(expected.before, expected.after);
  const std::uint64_t outputs = bytes_of(expected.outputs.memory());
  const auto all = static_cast<double>(total(changed.bytes()) + outputs);
  const auto not_sure =
      static_cast<double>(total(expected.uncertain.bytes()) +
                          std::min(outputs, total(expected.uncertain_outputs.bytes())));
  return all > 0 ? not_sure / all : 0;
}

}  // namespace trilane
