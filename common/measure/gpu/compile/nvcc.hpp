// nvcc, as a process without a shell.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/measure/gpu/compile/compiler.hpp"

namespace trilane {

/// Compiles with the nvcc at `program`. nvcc passes the names of its source and its folder to a
/// shell, so it never sees the user's names: it compiles a file of ours, in a temporary folder,
/// which includes the user's file. Throws UsageError for a file name that no #include can hold.
std::unique_ptr<Compiler> make_nvcc(const std::filesystem::path& program, const CompileJob& job,
                                    double limit_s = compile_limit_s);

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
