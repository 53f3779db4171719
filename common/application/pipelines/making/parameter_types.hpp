// Derives a kernel's parameter types from its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/application/iteration/records/recorded_parts.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {

/// One parameter, as far as it is known.
struct ParameterType {
  bool is_const = false;           ///< points to what the kernel only reads
  std::optional<Element> element;  ///< its type, or what it points to
};

/// Returns the types of the kernel's parameters, by its demangled name. Names of extern "C" contain
/// none: then only sizes are known.
std::vector<ParameterType> parameter_types(const RecordedKernel& kernel);

/// Returns an integer type of that many bytes: 1, 2, 4 or 8.
Element integer_of(std::uint64_t bytes);

}  // namespace trilane
