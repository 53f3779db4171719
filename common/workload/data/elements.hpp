// Elements of buffers in host memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/workload/pipeline/element.hpp"
#include "common/workload/random.hpp"

namespace trilane {

/// Writes the value as an element. It is within the type's range.
void store(Element element, double value, std::byte* to);

/// The element as a number; whole numbers of 64 bits lose their lowest bits.
double load(Element element, const std::byte* from);

/// Fills memory with elements: whole numbers of all bits, and numbers from -1 to 1.
void draw(Element element, Random& random, std::byte* to, std::uint64_t bytes);

}  // namespace trilane
