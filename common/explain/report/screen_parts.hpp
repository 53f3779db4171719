// The tables and the first lines of the screen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns what failed and what was cut short, labelled, at most `most` lines of each. Empty if all
/// is well.
Page alarms(const Results& results, std::size_t most);

/// Returns "NVIDIA H200, driver 580.159, CUDA 13.0: 6 workloads, 17 variants, 71 s. Every result
/// was right."
Paragraph summary(const Results& results);

/// A table and what to say below it.
struct Rows {
  Table table;
  Paragraph note;
};

/// Returns a row for each of the first `most` workloads: the reference's time, graph, pool, the
/// best that keeps the stages, the best rewrite, and the limit. Columns without an entry are left
/// out.
Rows workload_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns a row for each variant, if there are at most `most`. Otherwise returns the first of
/// these: the reference, failed variants, the winners of the tiers and the variants of the
/// questions. `simulated` speeds have no interval.
Rows variant_rows(const Comparison& comparison, std::size_t most);

/// Returns label_among() for a narrow column.
std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all);

/// Returns the labelled text in at most that many lines of the screen.
LabelledText limited(const std::string& label, const std::string& text, std::size_t lines);

}  // namespace trilane
