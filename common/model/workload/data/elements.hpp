// Elements of buffers in host memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/model/workload/pipeline/element.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

/// Writes the value as an element. It is within the type's range.
void store(Element element, double value, std::byte* to);

/// The element of that value in the low bytes of a word, the others 0: an argument of a kernel.
std::uint64_t bits_of(Element element, double value);
/// The same of a whole number, of which a negative one is given as 64 bits.
std::uint64_t bits_of(Element element, std::uint64_t whole);

/// The element as a number; whole numbers of 64 bits lose their lowest bits.
double load(Element element, const std::byte* from);

/// Fills memory with elements: whole numbers of all bits, and numbers from -1 to 1.
void draw(Element element, Random& random, std::byte* to, std::uint64_t bytes);

}  // namespace trilane
