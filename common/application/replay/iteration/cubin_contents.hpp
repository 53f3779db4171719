// Reads the names in a module's machine code: its kernels, its variables, and the driver functions
// that it calls.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trilane {

enum class VariableKind {
  device,    ///< __device__
  constant,  ///< __constant__: only the host changes it
  managed,   ///< __managed__: the host reaches it without a call
};

struct CubinVariable {
  std::string name;  ///< mangled
  VariableKind kind = VariableKind::device;
};

struct CubinContents {
  std::vector<std::string> functions;  ///< mangled; kernels and what they call
  /// Without the compiler's own: texts and tables, which nothing changes.
  std::vector<CubinVariable> variables;
  std::vector<std::string> driver_calls;  ///< such as "vprintf" and "malloc"
};

/// Reads the symbol table of a module's code, an ELF file. Returns nothing if it is damaged or has
/// no such table: no byte of it is trusted.
std::optional<CubinContents> contents_of_cubin(std::span<const std::byte> cubin);

}  // namespace trilane
