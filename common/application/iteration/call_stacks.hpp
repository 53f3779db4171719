// Call stacks of an iteration's calls: where in the program each one is made.
#pragma once

#include "common/base/json/ranges.hpp"

namespace trilane {

/// A call on a stack. The recorder knows the module and offset of machine code, and the rest of
/// Python's; what is missing is looked up after the application's end.
struct RecordedFrame {
  std::string function{};    ///< qualified, without parameters; empty: unknown
  std::string file{};        ///< of the source; empty: unknown
  std::uint32_t line = 0;    ///< 0: unknown
  std::string module{};      ///< program or shared library; empty for Python
  std::uint64_t offset = 0;  ///< in the module: an address within the call; 0 if a line is known
  /// The user's code: neither of CUDA, the system or an interpreter, nor of an installed package.
  bool own = false;
  auto operator<=>(const RecordedFrame&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedFrame, (), (function, file, line, module, offset, own))
TRILANE_RANGES(RecordedFrame, Within<&R::function, &R::file, &R::module>{text_range})

/// Returns a path without its folders.
inline std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

struct RecordedStack {
  std::vector<std::uint32_t> frames;  ///< indices in RecordedSource::frames, outermost first
};
BOOST_DESCRIBE_STRUCT(RecordedStack, (), (frames))

/// The call stacks of one iteration, each frame and each stack once.
struct RecordedSource {
  std::vector<RecordedFrame> frames;
  std::vector<RecordedStack> stacks;
  std::uint32_t shared = 0;  ///< outermost frames that all stacks have in common
};
BOOST_DESCRIBE_STRUCT(RecordedSource, (), (frames, stacks, shared))

/// Throws a Misfit if a stack names a frame that does not exist, or has fewer than `shared`.
void cross_check(const RecordedSource& source);

}  // namespace trilane
