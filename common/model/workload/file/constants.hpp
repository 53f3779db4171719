// Constants of a stated type.
#pragma once

#include <boost/json/value.hpp>

#include "common/model/workload/pipeline/element_range.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Returns an argument of ArgumentKind::value. Throws a Misfit if the number does not fit in the
/// type.
Argument constant_in(const boost::json::value& value, Element element);

}  // namespace trilane
