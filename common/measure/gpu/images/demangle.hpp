// The names of kernels as C++ writes them, and their parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trilane {

/// "void ns::scale<float>(float const*, unsigned long)" for a mangled C++ name; others, such as
/// those of extern "C", stay as they are.
std::string demangled(const std::string& mangled);

/// "ns::scale<float>" of a demangled name: without result and parameters.
std::string qualified_name(std::string_view demangled);

/// The types of the parameters of a demangled name, as the demangler writes them: "float const*",
/// "unsigned long". Empty for a kernel without any, and for an extern "C" name, which has none.
std::vector<std::string> signature_of(std::string_view demangled);

}  // namespace trilane
