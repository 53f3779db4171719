// The names of kernels as C++ writes them, and their parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trilane {

/// Returns "void ns::scale<float>(float const*, unsigned long)" for a mangled C++ name. Other
/// names, such as those of extern "C", are returned unchanged.
std::string demangled(const std::string& mangled);

/// Returns "ns::scale<float>" for a demangled name, without result and parameters.
std::string qualified_name(std::string_view demangled);

/// Returns the parameter types of a demangled name, as the demangler writes them: "float const*",
/// "unsigned long". Empty for a kernel without parameters, and for an extern "C" name, which does
/// not encode them.
std::vector<std::string> signature_of(std::string_view demangled);

}  // namespace trilane
