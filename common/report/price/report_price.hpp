// Parts of the section on prices.
#pragma once

#include <string>
#include <vector>

#include "common/report/report_parts.hpp"

namespace trilane {

/// Measurements that were priced, in the comparison's order; each has a price.
using Priced = std::vector<const Measurement*>;

/// That of all times in the section.
Unit unit_for(const Priced& all);

double median_of(const std::vector<double>& values);

/// The median difference in that unit: "+12.3", "-4.56"; "0" where it cannot be told from none, for
/// half of the differences lie around zero or no clock can tell that little.
std::string difference(const std::vector<double>& us, Unit unit);

/// What a variant costs once, in a line each, under a paragraph that explains it. Where long names
/// or times leave no room columns are dropped, tear-down first.
std::string price_table(const Comparison& comparison, const Priced& all);

/// What takes most of the set-up, of the reference and the fastest; what pools keep, where that is
/// not the memory in the table; and how break-even came out by real sequences of passes.
std::string price_notes(const Comparison& comparison, const Priced& all);

}  // namespace trilane
