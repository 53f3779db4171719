#include "common/model/workload/data/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/model/workload/data/elements.hpp"
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

/// Repeats the bytes, from `start` on.
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
    throw UsageError(fmt::format("{}: buffer {}: {} {}; name a file that holds its bytes",
                                 pipeline.file, in_quotes(buffer.name), in_quotes(path),
                                 error.what()));
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

}  // namespace trilane
