// The parts of a name as the C++ demangler writes it.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns "ns::scale<float>" for a demangled name, without result and parameters.
std::string qualified_name(std::string_view demangled);

/// Returns the parameter types of a demangled name, as the demangler writes them: "float const*",
/// "unsigned long". Empty for a kernel without parameters, and for an extern "C" name.
std::vector<std::string> signature_of(std::string_view demangled);

/// Returns the name without the template arguments at its end.
std::string without_arguments(const std::string& name);

/// Returns at most `width` characters of a demangled name: the whole name, else without result and
/// parameters, else also without template arguments, and cut at the end if that is still too long.
std::string short_name(const std::string& demangled, std::size_t width);

}  // namespace trilane
