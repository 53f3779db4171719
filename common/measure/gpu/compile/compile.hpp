// Finds the compilers of CUDA code on this machine, and turns a file with kernels into an image
// that the driver can load, without a GPU. nvcc.cpp and nvrtc.cpp have the compilers.
#pragma once

#include "common/measure/gpu/images/image.hpp"

namespace trilane {

/// The compute capability of a device: 9.0 is {9, 0}.
struct Architecture {
  int major = 0, minor = 0;
  /// Returns "sm_90".
  std::string name() const;
};

/// The available compilers. nvcc is preferred to NVRTC, because users compile with it.
struct Compilers {
  std::filesystem::path nvcc;            ///< empty: not installed
  std::vector<std::string> nvrtc{};      ///< names of the library for dlopen, the first that loads
  std::filesystem::path cuda_headers{};  ///< for NVRTC; empty: not installed
};

/// Finds nvcc on the PATH, else in $CUDA_HOME/bin or /usr/local/cuda/bin; and NVRTC by the dynamic
/// linker, else beside those. nvcc passes parts of its own path to a shell, so an nvcc whose path
/// has shell metacharacters is skipped.
Compilers installed_compilers();

/// Returns true if a shell takes the path literally: letters, digits, / . _ + -.
bool is_plain_path(const std::filesystem::path& path);

/// Returns a .ptx, .cubin or .fatbin file as it is. Compiles a CUDA source for the architecture as
/// C++20, unless the cache holds the result of the same compiler, text and headers. `names` are the
/// kernels that will be used; those with template arguments are instantiated. Throws UsageError
/// with the compiler's own messages if the file or a name is wrong, and NotPossible without a
/// compiler.
Image image_of(const std::filesystem::path& file, const std::vector<std::string>& names,
               Architecture architecture, const Compilers& compilers = installed_compilers(),
               const ImageCache& cache = ImageCache());

/// A compiler working on one source file.
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

/// Compiles with the nvcc at `program`. nvcc passes the names of its source and its folder to a
/// shell, so it never sees the user's names: it compiles a file of ours, in a temporary folder,
/// which includes the user's file. Throws UsageError for a file name that no #include can hold.
std::unique_ptr<Compiler> make_nvcc(const std::filesystem::path& program, const CompileJob& job,
                                    double limit_s = compile_limit_s);

/// Compiles with NVRTC, the compiler as a library: with the first of `libraries` that loads. Throws
/// NotPossible if none does.
std::unique_ptr<Compiler> make_nvrtc(const std::vector<std::string>& libraries,
                                     const std::filesystem::path& cuda_headers,
                                     const CompileJob& job);

/// Returns the source that nvcc compiles. It includes the file and instantiates the templates.
std::string wrapper_of(const CompileJob& job);

/// Parses the dependencies of a make rule, as compilers write it: "w.o : w.cu \ header\ file.h".
std::vector<std::filesystem::path> files_of_rule(std::string_view rule);

/// Returns the demangled name of the instance that wrapper_of() requested as number `index`, found
/// as the template argument of a kernel in the image. Empty if none exists.
std::string instance_in(std::string_view image, std::size_t index);

/// Returns true if the kernel is in the module only because of wrapper_of().
bool is_from_wrapper(std::string_view mangled);

struct ToolResult {
  int code = 0;         ///< exit code, or 128 plus the number of the signal that ended it
  bool late = false;    ///< it was ended at the time limit
  std::string printed;  ///< its standard output and standard error, at most 1 MiB
};

/// Runs `program` in `folder`, which also serves for its temporary files (TMPDIR), and waits for
/// its end. It and its descendants are killed after `limit_s` seconds, or if this program is
/// interrupted, which throws Interrupted. Throws NotPossible if it cannot be started.
ToolResult run_tool(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& folder, double limit_s);

}  // namespace trilane
