// Finds the kernel of a module that a user's spelling means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/measure/gpu/images/demangle.hpp"

namespace trilane {

/// The compiler's name for a name with template arguments. The user may have spelled types
/// differently, or omitted default arguments.
struct LoweredName {
  std::string written, demangled;
  bool operator==(const LoweredName&) const = default;
};

/// The kernels of one file.
struct KernelNames {
  std::string file;                    ///< for messages
  std::vector<std::string> mangled;    ///< as the module has them
  std::vector<LoweredName> lowered;    ///< the compiler's names for what it instantiated
  std::vector<std::string> templates;  ///< template kernels of the source
};

/// Returns the mangled name of the kernel that `wanted` means: a mangled name, or a name with or
/// without namespaces, template arguments and parameters. Spaces do not count. A complete name
/// takes precedence over the end of a longer one. Throws UsageError that lists the file's kernels
/// if none matches, or what to write if several do.
std::string chosen_kernel(std::string_view wanted, const KernelNames& names);

}  // namespace trilane
