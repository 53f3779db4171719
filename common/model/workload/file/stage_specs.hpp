// The stages of a pipeline file.
#pragma once

#include <boost/json/value.hpp>

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Reads "stages" into the pipeline, whose buffers are known, and its kernels with them. Throws a
/// Misfit.
void read_stages(const boost::json::value& value, Pipeline& pipeline);

}  // namespace trilane
