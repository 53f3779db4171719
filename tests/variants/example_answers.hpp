// The required results of the examples in kernels/examples/, computed on the CPU by independent
// code.
#pragma once

#include "tests/framework.hpp"

namespace trilane {

/// Returns the elements that the bytes hold.
template <typename Element>
std::vector<Element> elements_of(const std::vector<std::byte>& bytes) {
  std::vector<Element> elements(bytes.size() / sizeof(Element));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(Element));
  return elements;
}

template <typename Element>
std::vector<std::byte> bytes_of(const std::vector<Element>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {bytes.begin(), bytes.end()};
}

/// Returns the output of one chunk of kernels/examples/EXAMPLE.json: its buffers that are copied
/// out, one after the other. `inputs` are those that are copied in, in the file's order; a shorter
/// chunk has shorter ones. The file's constants (width, factor, nonces of a chunk) are repeated in
/// the source. `products` is right within the file's tolerance, all others to the bit. Throws
/// std::out_of_range unless `example` is a known one, and Interrupted after a signal.
std::vector<std::byte> answer_of(const std::string& example, std::uint32_t chunk,
                                 std::span<const std::vector<std::byte>> inputs);

}  // namespace trilane
