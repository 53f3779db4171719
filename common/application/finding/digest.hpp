// Digests kept calls into an iteration as a recording states it.
#pragma once

#include "common/application/finding/call_store.hpp"
#include "common/application/finding/handle_facts.hpp"
#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// One repetition of the iteration.
struct Repetition {
  std::uint64_t first = 0;  ///< number of its first call
  double start_us = 0, end_us = 0;
  bool traced = false;   ///< device times were taken
  bool runtime = false;  ///< the runtime's functions called back, too, and nothing was traced
};

/// Repetitions of `calls` calls each, all in the store.
struct Repetitions {
  std::uint64_t calls = 0;
  std::vector<Repetition> all{};
  ListeningCosts costs{};  ///< of listening to them
  bool in_kind = false;    ///< their sizes and kernels may differ
};

/// The facts about the iteration, apart from device times.
struct Digest {
  /// Holds what the calls say. All other members are as in an empty recording.
  ApplicationRecording recording;
  RecordedData data;  ///< goes into a recording only if the user asked for it
  ObservedIteration latest;
  /// For each traced repetition: its start, and the correlation number of each call.
  struct Traced {
    double start_us = 0;
    std::vector<std::uint32_t> correlations;
  };
  std::vector<Traced> traced;
};

/// `memory` is the state after the last call in the store.
Digest digest_of(const CallStore& store, KnownMemory memory, const HandleFacts& facts,
                 const Repetitions& repetitions);

/// Adds another repetition. A value varies if it differs from that in the latest repetition.
void add_repetition(Digest& digest, const ObservedIteration& other, const HandleFacts& facts);

/// Adds an earlier digest of the same iteration, and its call stacks if the digest has none.
void add_earlier(Digest& digest, const Digest& earlier, const HandleFacts& facts);

/// Sets RecordedCall::own_us, call_us and runtime_us, if known, without the cost of listening.
void put_own_times(std::vector<RecordedCall>& calls, const CallStore& store,
                   const Repetitions& repetitions);

/// The time of an operation on the device, on the host's clock.
struct DeviceTime {
  std::uint32_t correlation = 0;
  double start_us = 0, end_us = 0;
};

/// By correlation. A graph's operations share its launch's, from the first start to the last end.
using DeviceTimes = std::unordered_map<std::uint32_t, DeviceTime>;

/// Sets the medians of the device times.
void add_device_times(std::vector<RecordedCall>& calls, const Digest& digest,
                      const DeviceTimes& times);

/// Returns how a value varies. `values` come from consecutive repetitions, in order; `later` ones
/// after a pause. A value alternates if it returns after a fixed number of repetitions, at least
/// twice in a row: a cycle of 2 with 5 repetitions, of at most 5 with 10. Later ones must fit.
Variation variation_of(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> later = {});

}  // namespace trilane
