// Upgrades results files of older versions.
#pragma once

#include <boost/json/value.hpp>

namespace trilane {

/// Adds what a document of an older version lacks, with the values that applied when it was
/// written. Skips anything that is not an object, which the reader will report.
void upgrade(boost::json::value& document);

}  // namespace trilane
