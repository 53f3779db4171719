// Upgrades results files of older versions.
#pragma once

#include <boost/json/value.hpp>

namespace trilane {

/// Adds what a document of an older version lacks, with the values that held when it was written.
/// Skips what is not an object, which the reader will report.
void upgrade(boost::json::value& document);

}  // namespace trilane
