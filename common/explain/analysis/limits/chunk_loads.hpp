// The loads of models in which the copy engines copy each chunk.
#pragma once

#include <vector>

#include "common/explain/analysis/limits/loads.hpp"

namespace trilane {

/// Chunks of the lane that has the most.
double lane_chunks(const Shape& shape);

/// As device_loads(), of such a model.
std::vector<Load> chunk_loads(const Shape& shape, const Model& model);

}  // namespace trilane
