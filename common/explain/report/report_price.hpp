// Parts of the set-up page.
#pragma once

#include <string>
#include <vector>

#include "common/explain/report/report_parts.hpp"

namespace trilane {

/// The measurements that have a price, in the comparison's order.
using Priced = std::vector<const Measurement*>;

/// The unit of all times in the section.
Unit unit_for(const Priced& all);

/// The median difference in `unit`: "+12.3", "-4.56"; "0" within noise: if the middle half includes
/// zero or the median is below the clock's resolution.
std::string difference(const std::vector<double>& us, Unit unit);

/// A paragraph of explanation and a table of what each variant costs once.
Page price_table(const Comparison& comparison, const Priced& all);

/// The longest phases of the set-up of the reference and the fastest; the memory of pools, if it
/// differs from the table; and measured break-evens.
Page price_notes(const Comparison& comparison, const Priced& all);

}  // namespace trilane
