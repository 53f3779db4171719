// The names of kernels, those that a compiler must instantiate, and the kernel of a module that a
// user's spelling means.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns "void ns::scale<float>(float const*, unsigned long)" for a mangled C++ name. Other
/// names, such as those of extern "C", are returned unchanged.
std::string demangled(const std::string& mangled);

/// The compiler's name for a name with template arguments. The user may have spelled types
/// differently, or omitted default arguments.
struct LoweredName {
  std::string written, demangled;
  bool operator==(const LoweredName&) const = default;
};

/// The kernels of one file.
struct KernelNames {
  std::string file;                    ///< for messages
  std::vector<std::string> mangled{};  ///< as the module has them
  std::vector<LoweredName> lowered;    ///< the compiler's names for what it instantiated
  std::vector<std::string> templates;  ///< template kernels of the source
};

/// Returns the mangled name of the kernel that `wanted` means: a mangled name, or a name with or
/// without namespaces, template arguments and parameters. Spaces do not count. A complete name
/// takes precedence over the end of a longer one. Throws UsageError that lists the file's kernels
/// if none matches, or what to write if several do.
std::string chosen_kernel(std::string_view wanted, const KernelNames& names);

/// Returns true if a compiler can instantiate the name: it has template arguments and no parameter
/// list.
bool has_template_arguments(std::string_view name);

/// Returns the names with template arguments, each once. They go into source code, so only
/// characters of a C++ type name pass: letters, digits, _ : < > , space * &, with matching brackets
/// and a name before them. Throws UsageError for others.
std::vector<std::string> template_names(const std::vector<std::string>& names);

/// Returns the template kernels of a source, without their namespaces. Comments and strings are
/// ignored; macros are not expanded.
std::vector<std::string> template_kernels(std::string_view source);

}  // namespace trilane
