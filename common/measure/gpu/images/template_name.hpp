// Names with template arguments, which a compiler must instantiate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trilane {

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
