// The contents of a pipeline file's buffers on the host: inputs, and checks of outputs.
#pragma once

#include "common/model/workload/buffer_layout.hpp"
#include "common/model/workload/pipeline/element.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

/// Writes the value, which must be within the type's range, as an element.
void store(Element element, double value, std::byte* to);

/// Returns the element with that value in the low bytes of a word, as an argument of a kernel.
std::uint64_t bits_of(Element element, double value);
/// Returns the same for a whole number; a negative one is given as 64 bits.
std::uint64_t bits_of(Element element, std::uint64_t whole);

/// Returns the element as a number; 64-bit integers lose their lowest bits.
double load(Element element, const std::byte* from);

/// Fills memory with random elements: integers of all bits, and numbers from -1 to 1.
void draw(Element element, Random& random, std::byte* to, std::uint64_t bytes);

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

/// Elements of one output buffer that differ from the expected ones.
struct Difference {
  std::uint32_t buffer = 0;
  std::uint64_t elements = 0, of = 0;  ///< that differ, of all
  std::uint32_t chunk = 0;             ///< of the first one
  std::uint64_t element = 0;           ///< of the first one, in its chunk
  std::uint64_t bytes = 0;             ///< that differ
};

/// Returns the first buffer that differs, by its Check; absent if none. Needs a pipeline file.
std::optional<Difference> difference(const Workload& workload, const std::byte* got,
                                     const std::byte* expected);

/// Returns "wrong data in "result": 12 of 4096 elements, the first in chunk 3 at 17: ...".
std::string in_words(const Difference& difference, const Workload& workload, const std::byte* got,
                     const std::byte* expected);

/// Checks output memory between chunks and buffers, which a pass must leave as poison() made it.
/// Returns the number of bytes that it wrote there, and sets them to the expected ones.
std::uint64_t take_gaps(const Workload& workload, std::byte* got, const std::byte* expected);

}  // namespace trilane
