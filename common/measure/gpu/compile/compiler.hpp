// A compiler working on one source file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/measure/gpu/images/image.hpp"

namespace trilane {

class Compiler {
 public:
  virtual ~Compiler() = default;

  /// Returns what the image depends on besides files, names and architecture: the compiler's
  /// version and settings.
  virtual std::string version() = 0;

  /// Returns the files that the compiler read besides those of sources_of(), as far as it reports
  /// them.
  virtual std::vector<std::filesystem::path> included_files() = 0;

  /// Returns the image, with Image::lowered for each template name. Throws UsageError with the
  /// compiler's messages if the source is wrong.
  virtual Image compile() = 0;
};

/// A source to compile.
struct CompileJob {
  std::filesystem::path file;          ///< absolute
  std::vector<std::string> templates;  ///< from template_names()
  std::string architecture;            ///< "sm_90"
};

/// Limit on a compiler's run time in seconds.
inline constexpr double compile_limit_s = 120;

}  // namespace trilane
