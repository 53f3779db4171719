// A compiler at work on one source file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/measure/gpu/images/image.hpp"

namespace trilane {

class Compiler {
 public:
  virtual ~Compiler() = default;

  /// Everything besides files, names and architecture on which the image depends: the compiler's
  /// version and its settings.
  virtual std::string version() = 0;

  /// The files that the compiler read besides those of sources_of(), as far as it tells.
  virtual std::vector<std::filesystem::path> included_files() = 0;

  /// The image, with Image::lowered for each template name. Throws UsageError with the compiler's
  /// messages if the source is wrong.
  virtual Image compile() = 0;
};

/// A source to compile.
struct CompileJob {
  std::filesystem::path file;          ///< absolute
  std::vector<std::string> templates;  ///< from template_names()
  std::string architecture;            ///< "sm_90"
};

/// Seconds that a compiler may take.
inline constexpr double compile_limit_s = 120;

}  // namespace trilane
