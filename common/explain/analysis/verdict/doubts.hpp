// Finds what makes the figures of a run doubtful, and how to settle it.
#pragma once

#include <string>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

enum class DoubtKind {
  error_unknown,    ///< of the model: the profile does not state it
  not_modelled,     ///< `names` are what simulated times leave out
  not_computed,     ///< the results of users' pipelines; `names` are workloads
  unchecked,        ///< `names` are buffers of users' pipelines
  other_processes,  ///< on the GPU, listed in `names`
  throttled,        ///< `names` are the causes, name_of(ClockLimiter)
  clock_moved,      ///< the SM clock, from `from` to `to` MHz
  slow_host,        ///< in many rounds, and intervals are wide; `names` are workloads, as below
  few_rounds,       ///< or processes, for an interval; `names` are workloads, `to` as below
  wide_intervals,   ///< when the time was up; `from` is the widest, relative, and `to` the most
                    ///< processes of a comparison
  wrong_regime,     ///< a preset's bottleneck is not the intended one
  drift,            ///< times of a variant drift within a process
  several_modes,    ///< times of a variant jump between values
  one_process,      ///< intervals do not cover the differences between processes
};

struct Doubt {
  DoubtKind kind{};
  std::vector<std::string> names{};
  double from = 0, to = 0;
};

/// Returns the doubts in the order of the kinds, from grave to light. Simulated times have only the
/// first three kinds.
std::vector<Doubt> doubts_about(const Results& results);

/// Returns the doubt as a sentence, with the command or option that settles it.
std::string in_words(const Doubt& doubt);

}  // namespace trilane
