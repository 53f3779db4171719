#include "common/model/workload/data/elements.hpp"

#include <type_traits>

namespace trilane {
namespace {

/// A 16-bit floating-point number on the host.
__extension__ using Half = _Float16;

/// Calls `act` with a value of the element's type on the host.
template <typename Act>
decltype(auto) as_type(Element element, Act act) {
  switch (element) {
    case Element::int8: return act(std::int8_t{});
    case Element::uint8: return act(std::uint8_t{});
    case Element::int16: return act(std::int16_t{});
    case Element::uint16: return act(std::uint16_t{});
    case Element::int32: return act(std::int32_t{});
    case Element::uint32: return act(std::uint32_t{});
    case Element::int64: return act(std::int64_t{});
    case Element::uint64: return act(std::uint64_t{});
    case Element::float16: return act(Half{});
    case Element::float32: return act(float{});
    case Element::float64: break;
  }
  return act(double{});
}

template <typename T>
void draw_numbers(Random& random, std::byte* to, std::uint64_t bytes) {
  for (; bytes >= sizeof(T); to += sizeof(T), bytes -= sizeof(T)) {
    constexpr std::uint64_t steps = std::uint64_t{1} << 53;
    const double unit = static_cast<double>(random.next() % steps) / static_cast<double>(steps);
    const auto value = static_cast<T>(static_cast<float>(2 * unit - 1));
    std::memcpy(to, &value, sizeof value);
  }
}

void draw_bits(Random& random, std::byte* to, std::uint64_t bytes) {
  while (bytes > 0) {
    const std::uint64_t bits = random.next(), part = std::min<std::uint64_t>(bytes, sizeof bits);
    std::memcpy(to, &bits, part);
    to += part;
    bytes -= part;
  }
}

}  // namespace

void store(Element element, double value, std::byte* to) {
  as_type(element, [&](auto zero) {
    using T = decltype(zero);
    const auto typed = static_cast<T>(value);
    std::memcpy(to, &typed, sizeof typed);
  });
}

std::uint64_t bits_of(Element element, double value) {
  std::uint64_t bits = 0;  // the host is little-endian, as the device is
  store(element, value, reinterpret_cast<std::byte*>(&bits));
  return bits;
}

std::uint64_t bits_of(Element element, std::uint64_t whole) {
  return as_type(element, [&](auto zero) {
    using T = decltype(zero);
    std::uint64_t bits = 0;
    const auto typed = static_cast<T>(whole);
    std::memcpy(&bits, &typed, sizeof typed);
    return bits;
  });
}

double load(Element element, const std::byte* from) {
  return as_type(element, [&](auto value) {
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
  });
}

void draw(Element element, Random& random, std::byte* to, std::uint64_t bytes) {
  as_type(element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      draw_bits(random, to, bytes);
    } else {
      draw_numbers<T>(random, to, bytes);
    }
  });
}

}  // namespace trilane
