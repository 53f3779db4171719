// Elements of buffers in host memory.
#pragma once

#include "common/model/workload/pipeline/element.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

/// Writes the value, which must be within the type's range, as an element.
void store(Element element, double value, std::byte* to);

/// Returns the element with that value in the low bytes of a word, the others 0, as an argument of
/// a kernel.
std::uint64_t bits_of(Element element, double value);
/// Returns the same for a whole number; a negative one is given as 64 bits.
std::uint64_t bits_of(Element element, std::uint64_t whole);

/// Returns the element as a number; 64-bit integers lose their lowest bits.
double load(Element element, const std::byte* from);

/// Fills memory with random elements: integers of all bits, and numbers from -1 to 1.
void draw(Element element, Random& random, std::byte* to, std::uint64_t bytes);

}  // namespace trilane
