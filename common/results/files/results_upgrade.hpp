// Results files of older versions.
#pragma once

#include <boost/json/value.hpp>

namespace trilane {

/// Adds to a document of an older version what it lacks, as it was when that was written. What is
/// no object is left for the reader to complain of.
void upgrade(boost::json::value& document);

}  // namespace trilane
