// Merges the results of several processes.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Merges results of the same workloads and variants, measured by one process each:
/// - all samples with their process's number,
/// - set-up times as the median over processes,
/// - the limit with the lowest bound, because a process may get faster buffers than others.
/// A variant that failed in one process has failed. Derives everything else anew. Workloads that an
/// interrupted process did not reach have fewer processes. Throws std::invalid_argument without
/// results, or if workloads differ.
Results merged(std::span<const Results> all);

/// Returns a context from the start of the first process to the end of the last, with the notes of
/// all. Throws std::invalid_argument without any.
Context merged(const std::vector<const Context*>& all);

/// Merges the contexts of a list of files.
template <typename Files>
Context merged_context(const Files& files) {
  return merged(transformed(files, [](const auto& file) { return &file.context; }));
}

/// Returns all samples, with the number of their process, and the median of the set-up times. A
/// variant that failed in one process has failed, with the message of the first failure.
/// `by_process` is nullptr for processes without the variant, but not for all.
///
/// Joins the prices of all set-ups, with as many passes after each as every process has. Leaves out
/// processes whose set-ups have other phases.
Measurement merged_variant(const std::vector<const Measurement*>& by_process);

}  // namespace trilane
