// The loads of models in which the copy engines copy each chunk.
#pragma once

#include <vector>

#include "common/explain/analysis/limits/loads.hpp"

namespace trilane {

/// Returns the chunks of the lane with the most.
double lane_chunks(const Shape& shape);

/// Does the same as device_loads(), for such a model.
std::vector<Load> chunk_loads(const Shape& shape, const Model& model);

}  // namespace trilane
