// Names with template arguments, which a compiler has to instantiate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trilane {

/// Whether a compiler can be asked to instantiate the name: it has template arguments and no
/// parameter list.
bool has_template_arguments(std::string_view name);

/// The names with template arguments, each once. They go into source code, so that only characters
/// of a C++ type name pass: letters, digits, _ : < > , space * &, with brackets that match and a
/// name before them. Throws UsageError for others.
std::vector<std::string> template_names(const std::vector<std::string>& names);

/// The kernels of a source that are templates, without their namespaces. Comments and strings are
/// ignored, macros are not expanded.
std::vector<std::string> template_kernels(std::string_view source);

}  // namespace trilane
