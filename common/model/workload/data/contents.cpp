#include "common/model/workload/data/contents.hpp"

#include "common/base/json/document.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "common/model/workload/parallel.hpp"

namespace trilane {
namespace {

std::vector<std::byte> pattern_of(const BufferSpec& buffer) {
  const std::uint64_t size = size_of(buffer.element);
  std::vector<std::byte> bytes(buffer.pattern.size() * size);
  for (std::size_t i = 0; i < buffer.pattern.size(); ++i) {
    store(buffer.element, buffer.pattern[i], bytes.data() + i * size);
  }
  return bytes;
}

void repeat(const std::vector<std::byte>& given, std::uint64_t start, std::byte* to,
            std::uint64_t bytes) {
  std::uint64_t from = start % given.size();
  while (bytes > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(bytes, given.size() - from);
    std::memcpy(to, given.data() + from, part);
    to += part;
    bytes -= part;
    from = 0;
  }
}

struct Differing {
  std::uint64_t elements = 0, bytes = 0, first = 0;
};

bool is_within(const BufferSpec& spec, const std::byte* got, const std::byte* expected) {
  const double value = load(spec.element, got), wanted = load(spec.element, expected);
  if (std::isnan(wanted)) return std::isnan(value);
  if (std::isinf(wanted)) return value == wanted;
  return std::abs(value - wanted) <= spec.tolerance * std::max(1.0, std::abs(wanted));
}

Differing differing(const BufferSpec& spec, std::uint64_t bytes, const std::byte* got,
                    const std::byte* expected) {
  Differing found;
  if (std::memcmp(got, expected, bytes) == 0) return found;
  const std::uint64_t size = size_of(spec.element);
  for (std::uint64_t at = 0; at < bytes; at += size) {
    if (std::memcmp(got + at, expected + at, size) == 0) continue;
    if (spec.check == Check::tolerance && is_within(spec, got + at, expected + at)) continue;
    if (found.elements++ == 0) found.first = at / size;
    for (std::uint64_t i = at; i < at + size; ++i) found.bytes += got[i] != expected[i];
  }
  return found;
}

const BufferSpec& spec_of(const Workload& workload, std::uint32_t buffer) {
  return workload.pipeline->buffers[buffer];
}

struct Piece {
  std::uint64_t begin, end;
};

std::vector<Piece> pieces_of(const Layout& layout) {
  std::vector<Piece> pieces;
  for (std::uint32_t buffer = 0; buffer < layout.buffers.size(); ++buffer) {
    const BufferPlace& place = layout.buffers[buffer];
    if (!place.out_start) continue;
    for (std::uint32_t chunk = 0; chunk < layout.chunks; ++chunk) {
      const std::uint64_t begin = *place.out_start + chunk * place.stride;
      pieces.push_back({begin, begin + layout.bytes(buffer, chunk)});
    }
  }
  std::ranges::sort(pieces, {}, &Piece::begin);
  return pieces;
}

/// A 16-bit floating-point number on the host.
__extension__ using Half = _Float16;

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

std::vector<std::byte> bytes_of_file(const Pipeline& pipeline, const BufferSpec& buffer,
                                     const std::filesystem::path& file) {
  const std::string path = path_beside(pipeline, file.string()).string();
  try {
    constexpr std::size_t most = std::size_t{16} << 30;
    const std::string read = content_of_input(path, most);
    std::vector<std::byte> bytes(read.size());
    std::memcpy(bytes.data(), read.data(), read.size());
    return bytes;
  } catch (const std::invalid_argument& error) {
    throw UsageError("{}: buffer {}: {} {}; name a file that holds its bytes", pipeline.file,
                     in_quotes(buffer.name), in_quotes(path), error.what());
  }
}

Inputs::Inputs(const Workload& workload, std::uint64_t seed)
    : workload_(workload), layout_(layout_of(workload)), random_(seed) {
  const Pipeline& pipeline = *workload_.pipeline;
  given_.resize(pipeline.buffers.size());
  for (std::size_t i = 0; i < pipeline.buffers.size(); ++i) {
    const BufferSpec& buffer = pipeline.buffers[i];
    if (!layout_.buffers[i].in_start) continue;
    switch (buffer.fill) {
      case Fill::random: break;
      case Fill::pattern: given_[i] = pattern_of(buffer); break;
      case Fill::file: given_[i] = bytes_of_file(pipeline, buffer, buffer.fill_file); break;
    }
  }
}

void Inputs::fill(std::byte* in) {
  for (std::uint32_t buffer = 0; buffer < layout_.buffers.size(); ++buffer) {
    const BufferPlace& place = layout_.buffers[buffer];
    if (!place.in_start) continue;
    const std::uint64_t seed = random_.next();
    constexpr std::uint64_t bytes_per_thread = 1 << 20;
    in_parallel(layout_.chunks, bytes_per_thread / place.bytes + 1,
                [&](std::size_t first, std::size_t last) {
                  for (std::size_t chunk = first; chunk < last; ++chunk) {
                    fill_chunk(buffer, static_cast<std::uint32_t>(chunk), seed + chunk,
                               in + *place.in_start + chunk * place.stride);
                  }
                });
  }
}

void Inputs::fill_chunk(std::uint32_t buffer, std::uint32_t chunk, std::uint64_t seed,
                        std::byte* to) const {
  const std::uint64_t bytes = layout_.bytes(buffer, chunk);
  if (!given_[buffer].empty()) {
    return repeat(given_[buffer], chunk * layout_.buffers[buffer].bytes, to, bytes);
  }
  Random random(seed);
  draw(workload_.pipeline->buffers[buffer].element, random, to, bytes);
}

std::optional<Difference> difference(const Workload& workload, const std::byte* got,
                                     const std::byte* expected) {
  const Layout layout = layout_of(workload);
  for (std::uint32_t buffer = 0; buffer < layout.buffers.size(); ++buffer) {
    const BufferPlace& place = layout.buffers[buffer];
    const BufferSpec& spec = spec_of(workload, buffer);
    if (!place.out_start || spec.check == Check::none) continue;
    Difference found{.buffer = buffer};
    std::mutex mutex;
    constexpr std::uint64_t bytes_per_thread = 4 << 20;
    in_parallel(layout.chunks, bytes_per_thread / place.bytes + 1,
                [&](std::size_t first, std::size_t last) {
                  for (std::size_t chunk = first; chunk < last; ++chunk) {
                    const std::uint64_t at = *place.out_start + chunk * place.stride;
                    const auto bytes = layout.bytes(buffer, static_cast<std::uint32_t>(chunk));
                    const Differing part = differing(spec, bytes, got + at, expected + at);
                    if (part.elements == 0) continue;
                    const std::lock_guard lock(mutex);
                    if (found.elements == 0 || chunk < found.chunk) {
                      found.chunk = static_cast<std::uint32_t>(chunk);
                      found.element = part.first;
                    }
                    found.elements += part.elements;
                    found.bytes += part.bytes;
                  }
                });
    if (found.elements == 0) continue;
    found.of = ((layout.chunks - 1) * place.bytes + place.last_bytes) / size_of(spec.element);
    return found;
  }
  return std::nullopt;
}

std::string in_words(const Difference& found, const Workload& workload, const std::byte* got,
                     const std::byte* expected) {
  const Layout layout = layout_of(workload);
  const BufferSpec& spec = spec_of(workload, found.buffer);
  const BufferPlace& place = layout.buffers[found.buffer];
  const std::uint64_t at =
      *place.out_start + found.chunk * place.stride + found.element * size_of(spec.element);
  return fmt::format(
      "wrong data in {}: {} of {} elements, the first in chunk {} at {}: {} instead of {}",
      in_quotes(spec.name), found.elements, found.of, found.chunk, found.element,
      load(spec.element, got + at), load(spec.element, expected + at));
}

std::uint64_t take_gaps(const Workload& workload, std::byte* got, const std::byte* expected) {
  const Layout layout = layout_of(workload);
  std::uint64_t written = 0, end = 0;
  const auto take = [&](std::uint64_t until) {
    for (; end < until; ++end) {
      written += got[end] != ~expected[end];
      got[end] = expected[end];
    }
  };
  for (const Piece& piece : pieces_of(layout)) {
    take(piece.begin);
    end = piece.end;
  }
  take(layout.out_bytes);
  return written;
}

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
