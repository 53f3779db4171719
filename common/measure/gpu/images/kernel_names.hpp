// Finds a kernel of a module by what the user wrote.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/measure/gpu/images/demangle.hpp"

namespace trilane {

/// What a compiler made of a name with template arguments, which may have been written with other
/// names of the types, or without arguments that have defaults.
struct LoweredName {
  std::string written, demangled;
  bool operator==(const LoweredName&) const = default;
};

/// The kernels of one file.
struct KernelNames {
  std::string file;                    ///< for messages
  std::vector<std::string> mangled;    ///< as the module has them
  std::vector<LoweredName> lowered;    ///< what the compiler said of names that it instantiated
  std::vector<std::string> templates;  ///< kernels of the source that are templates
};

/// The mangled name of the kernel that `wanted` means: a mangled name, or a name with or without
/// namespaces, template arguments and parameters; spaces do not count. A complete name goes before
/// the end of a longer one. Throws UsageError that names the file's kernels if none matches, and
/// what to write if several do.
std::string chosen_kernel(std::string_view wanted, const KernelNames& names);

}  // namespace trilane
