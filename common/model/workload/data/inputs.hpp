// The contents of a pipeline file's inputs before a pass.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "common/model/workload/random.hpp"
#include "common/model/workload/steps/buffer_layout.hpp"

namespace trilane {

/// Returns the content of a file named by the pipeline file, relative to whose folder it is. Throws
/// UsageError that names the buffer and the file if it cannot be read or is empty.
std::vector<std::byte> bytes_of_file(const Pipeline& pipeline, const BufferSpec& buffer,
                                     const std::filesystem::path& file);

/// Fills the inputs of a pass, each as its buffer specifies.
class Inputs {
 public:
  /// Reads the files that buffers name. Throws UsageError.
  Inputs(const Workload& workload, std::uint64_t seed);

  /// Draws random buffers anew; the others are the same each time. `in` has layout.in_bytes.
  void fill(std::byte* in);

 private:
  void fill_chunk(std::uint32_t buffer, std::uint32_t chunk, std::uint64_t seed,
                  std::byte* to) const;

  Workload workload_;
  Layout layout_;
  Random random_;
  std::vector<std::vector<std::byte>> given_;  // by buffer: the content of its file or pattern
};

}  // namespace trilane
