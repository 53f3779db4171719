// The tables and the first lines of the screen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// What failed and what was cut short, labelled, at most `most` lines of each. Empty if all is
/// well.
Page alarms(const Results& results, std::size_t most);

/// "NVIDIA H200, driver 580.159, CUDA 13.0: 6 workloads, 17 variants, 71 s. Every result was
/// right."
Paragraph summary(const Results& results);

/// What a cell says of a variant that cannot be told from the reference.
inline constexpr char not_told[] = "?";

/// "3.0x", "same", "?": the speed over the reference; without one the time, "480 us".
std::string speed_cell(const Comparison& comparison, const Measurement& m);

/// Without the columns that have no entry.
Table without_empty(Table table);

/// A table and what to say below it.
struct Rows {
  Table table;
  Paragraph note;
};

/// A row for each of the first `most` workloads: the reference's time, graph, pool, the best that
/// keeps the stages, the best rewrite, and the limit. Columns without an entry are left out.
Rows workload_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// A row for each variant, if there are at most `most`; otherwise for the first of the reference,
/// those that failed, the winners of the tiers and the variants of the questions. `simulated`
/// speeds have no interval.
Rows variant_rows(const Comparison& comparison, std::size_t most);

/// label_among() for a narrow column.
std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all);

/// How many lines the text takes beside a label, whose column is as wide as the longest label.
std::size_t lines_beside_label(const std::string& text);

/// The labelled text in at most that many lines of the screen.
LabelledText limited(const std::string& label, const std::string& text, std::size_t lines);

/// The lines of the page as text.
std::size_t lines_of(const Page& page);

}  // namespace trilane
