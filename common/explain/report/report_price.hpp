// Parts of the set-up page.
#pragma once

#include <string>
#include <vector>

#include "common/explain/report/report_parts.hpp"

namespace trilane {

/// The measurements that have a price, in the comparison's order.
using Priced = std::vector<const Measurement*>;

/// Returns the unit of all times in the section.
Unit unit_for(const Priced& all);

/// Returns the median difference in `unit`: "+12.3", "-4.56". "0" means within noise: the middle
/// half includes zero, or the median is below the clock's resolution.
std::string difference(const std::vector<double>& us, Unit unit);

/// Returns a paragraph of explanation and a table of each variant's one-time costs.
Page price_table(const Comparison& comparison, const Priced& all);

/// Returns the longest phases of the set-up of the reference and the fastest; the memory of pools,
/// if it differs from the table; and measured break-evens.
Page price_notes(const Comparison& comparison, const Priced& all);

}  // namespace trilane
