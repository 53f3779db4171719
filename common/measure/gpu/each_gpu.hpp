// A variant with an instance of its own on each GPU of a split pass.
#pragma once

#include "common/model/variant/variant.hpp"

namespace trilane {

/// Returns the variant with an instance for each GPU, which issues that GPU's chunks on a stream
/// forked from the origin: graph then has one graph for each GPU, instead of one with the nodes of
/// all. Without a split there is one instance. The variant must not use the numbers of chunks.
VariantEntry for_each_gpu(const VariantEntry& entry, std::string name);

}  // namespace trilane
