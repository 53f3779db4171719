// A user's pipeline as its file states it: the buffers of a chunk and the stages that use them.
#pragma once

#include "common/base/json/ranges.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {

/// The operation of a stage on its chunk.
BOOST_DEFINE_FIXED_ENUM_CLASS(Stage, std::uint8_t, copy_in, clear, transform, copy_out)

/// Returns "copy in", "memset", "kernel", "copy out".
constexpr const char* name_of(Stage stage) {
  if (stage == Stage::clear) return "memset";
  return stage == Stage::transform ? "kernel" : words_of_name(stage);
}

/// The largest numbers of each in a pipeline. Tables of addresses and arguments have that size.
inline constexpr std::size_t most_buffers = 16, most_arguments = 24, most_stages = 64;

/// A name for an expression, which later expressions may use: "rows" = "n / width".
struct NamedSize {
  std::string name, value;
};
BOOST_DESCRIBE_STRUCT(NamedSize, (), (name, value))

/// The content of an input buffer before the pass.
BOOST_DEFINE_ENUM_CLASS(
    Fill,
    random,   ///< drawn by seed: integers of all bits, floating-point numbers from -1 to 1
    pattern,  ///< the given values, repeated
    file)     ///< the file's bytes, chunk after chunk; a shorter file is repeated

/// The check of an output buffer.
BOOST_DEFINE_ENUM_CLASS(Check,
                        exact,      ///< every byte equals serial's
                        tolerance,  ///< every element within the tolerance of serial's
                        none)       ///< not checked; every table says so

/// One buffer of a chunk. An input is copied in, an output out; others are scratch memory.
struct BufferSpec {
  std::string name;
  Element element = Element::uint8;
  std::string count{};  ///< expression: elements in a chunk
  Fill fill = Fill::random;
  std::vector<double> pattern{};  ///< with Fill::pattern
  std::string fill_file{};        ///< with Fill::file; relative to the pipeline file's folder
  Check check = Check::exact;
  double tolerance = 0;  ///< with Check::tolerance: |got - wanted| <= tolerance * max(1, |wanted|)
  std::string reference{};  ///< file with the right content of all chunks; empty: what serial gives
};
BOOST_DESCRIBE_STRUCT(BufferSpec, (),
                      (name, element, count, fill, pattern, fill_file, check, tolerance, reference))

TRILANE_RANGES(BufferSpec, Within<&R::pattern>{{}}, Within<&R::tolerance>{{0, 1e308}})

/// The kind of a kernel's argument.
BOOST_DEFINE_ENUM_CLASS(ArgumentKind,
                        in,            ///< a buffer that the kernel only reads
                        out,           ///< a buffer that it only writes
                        inout,         ///< a buffer that it reads and writes
                        size,          ///< the value of an expression
                        chunk_number,  ///< from 0
                        chunk_offset,  ///< items before the chunk
                        value)         ///< a constant

/// Return true if a kernel reads or writes its buffer by an argument of that kind.
constexpr bool is_read(ArgumentKind kind) {
  return kind == ArgumentKind::in || kind == ArgumentKind::inout;
}
constexpr bool is_written(ArgumentKind kind) {
  return kind == ArgumentKind::out || kind == ArgumentKind::inout;
}

struct Argument {
  ArgumentKind kind = ArgumentKind::value;
  std::uint32_t buffer = 0;           ///< index, with in, out and inout
  std::string expression{};           ///< with size
  double value = 0;                   ///< with value, of a floating-point type
  std::uint64_t whole = 0;            ///< with value, of an integer type: its bits, sign-extended
  Element element = Element::uint64;  ///< the type, unless it is a buffer
};
BOOST_DESCRIBE_STRUCT(Argument, (), (kind, buffer, expression, value, whole, element))
TRILANE_RANGES(Argument, Within<&R::value>{{}})

/// One kernel as specified in the file.
struct KernelSpec {
  std::string name;                      ///< plain, mangled, or with template arguments
  std::string file;                      ///< .cu, .ptx, .cubin or .fatbin; relative to the file
  std::vector<std::string> grid, block;  ///< one to three expressions each
  std::string shared = "0";              ///< expression: bytes of dynamic shared memory
  std::vector<Argument> arguments;       ///< in the kernel's order
  double time_us = 0;                    ///< of a full chunk alone on the device; 0: not known
  bool early = false;  ///< calls cudaGridDependencySynchronize, so it may start early
};
BOOST_DESCRIBE_STRUCT(KernelSpec, (), (name, file, grid, block, shared, arguments, time_us, early))

/// One stage of every chunk, in issue order.
struct StageSpec {
  Stage stage = Stage::copy_in;
  std::string name{};         ///< for `after` and for messages; by default the buffer's or kernel's
  std::uint32_t buffer = 0;   ///< of a copy or memset
  std::uint8_t value = 0;     ///< of a memset, for every byte
  std::uint32_t kernel = 0;   ///< index in Pipeline::kernels
  bool states_order = false;  ///< the file has an `after` here
  std::vector<std::uint32_t> after{};  ///< with states_order: earlier stages of the chunk
};
BOOST_DESCRIBE_STRUCT(StageSpec, (), (stage, name, buffer, value, kernel, states_order, after))

/// A whole pipeline file except its name, lanes and order. Empty (no stages) for Trilane's own.
struct Pipeline {
  bool stated_in_file = true;  ///< false: made from a single kernel, whose source is `file`
  std::string file;            ///< as given by the user
  std::uint64_t chunks = 0;
  std::uint64_t items = 0;       ///< n: items of every chunk except the last
  std::uint64_t last_items = 0;  ///< of the last chunk, at most `items`
  std::vector<NamedSize> sizes;
  std::vector<BufferSpec> buffers;
  std::vector<KernelSpec> kernels;  ///< one for each kernel stage, in order
  std::optional<KernelSpec> fused;  ///< processes a whole chunk in mapped host memory
  std::vector<StageSpec> stages;
};
BOOST_DESCRIBE_STRUCT(Pipeline, (),
                      (stated_in_file, file, chunks, items, last_items, sizes, buffers, kernels,
                       fused, stages))

/// The values of a pipeline's expressions for one number of items.
struct Extents {
  std::vector<std::uint64_t> bytes;  ///< of each buffer
  struct Launch {
    std::uint64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
    std::vector<std::uint64_t> sizes;  ///< for each argument: of ArgumentKind::size its value
  };
  std::vector<Launch> kernels;
  std::optional<Launch> fused;
};

/// Evaluates every expression for a chunk of `items`. Throws UsageError that names the expression
/// and the error: division by zero, below zero, beyond 2^60, an impossible grid, an empty buffer.
Extents extents_of(const Pipeline& pipeline, std::uint64_t items);

/// Grid sizes that every GPU can launch, and the most shared memory of a block that any GPU is
/// likely to have; the driver refuses more than this GPU has.
inline constexpr std::uint64_t most_grid[3] = {2147483647, 65535, 65535};
inline constexpr std::uint64_t most_block[3] = {1024, 1024, 64};
inline constexpr std::uint64_t most_block_threads = 1024;
inline constexpr std::uint64_t most_shared_bytes = 256 * 1024;

/// Like extents_of(), but throws a Misfit with the place of the expression in the pipeline file:
/// ".stages[2].grid[0]", ".buffers.image.count", ".fused.shared", ".sizes.rows".
Extents placed_extents(const Pipeline& pipeline, std::uint64_t items);

}  // namespace trilane
