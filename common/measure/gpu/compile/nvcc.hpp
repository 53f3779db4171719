// nvcc, as a process.
#pragma once

#include <filesystem>
#include <memory>

#include "common/measure/gpu/compile/compiler.hpp"

namespace trilane {

/// Compiles with the nvcc at `program`. nvcc hands the names of its source and of its folder to a
/// shell, so that it never sees the user's: it compiles a file of ours, in a temporary folder,
/// which includes the user's file. Throws UsageError for a file name that no #include can hold.
std::unique_ptr<Compiler> make_nvcc(const std::filesystem::path& program, const CompileJob& job,
                                    double limit_s = compile_limit_s);

/// The source that nvcc compiles: includes the file and makes the templates' instances.
std::string wrapper_of(const CompileJob& job);

/// The demangled name of the instance that wrapper_of() requested as number `index`: the image has
/// a kernel whose template argument it is. Empty if there is none.
std::string instance_in(std::string_view image, std::size_t index);

/// Whether a module has the kernel only because of wrapper_of().
bool is_from_wrapper(std::string_view mangled);

}  // namespace trilane
