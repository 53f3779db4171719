#include "common/application/replay/iteration/cubin_contents.hpp"

#include <algorithm>
#include <string_view>

#include "common/base/text/elf_reader.hpp"

namespace trilane {
namespace {

/// In a symbol's st_other, beside its visibility.
constexpr unsigned char managed_flag = 4;

/// Returns the kind of a section's objects if every kernel of the module sees them. Banks of
/// constants with other numbers hold parameters and the compiler's data.
std::optional<VariableKind> kind_of(std::string_view section, unsigned char other) {
  if (section == ".nv.constant3") return VariableKind::constant;
  if (section != ".nv.global" && section != ".nv.global.init") return std::nullopt;
  return (other & managed_flag) != 0 ? VariableKind::managed : VariableKind::device;
}

/// Returns true for texts, and the tables of the mathematical functions. A module may have several
/// of one name.
bool is_compilers_own(std::string_view name) {
  return name.starts_with('$') || name.starts_with("__cudart_");
}

void put(const ElfReader& elf, const ElfReader::Symbol& symbol, CubinContents& contents) {
  const bool outside = symbol.section == SHN_UNDEF;
  switch (ELF64_ST_TYPE(symbol.entry.st_info)) {
    case STT_FUNC:
      (outside ? contents.driver_calls : contents.functions).push_back(symbol.name);
      return;
    case STT_OBJECT:
      if (outside || is_compilers_own(symbol.name)) return;
      if (symbol.section >= elf.sections().size()) throw DamagedElf("it has no such section");
      if (const auto kind =
              kind_of(elf.name_of(elf.sections()[symbol.section]), symbol.entry.st_other)) {
        contents.variables.push_back({symbol.name, *kind});
      }
      return;
    default: return;
  }
}

}  // namespace

std::optional<CubinContents> contents_of_cubin(std::span<const std::byte> cubin) {
  try {
    const ElfReader elf(cubin);
    const auto table = std::ranges::find(elf.sections(), SHT_SYMTAB,
                                         [](const Elf64_Shdr& s) { return int(s.sh_type); });
    if (table == elf.sections().end()) return std::nullopt;
    CubinContents contents;
    for (const ElfReader::Symbol& symbol : elf.symbols(*table)) put(elf, symbol, contents);
    return contents;
  } catch (const DamagedElf&) {
    return std::nullopt;
  }
}

}  // namespace trilane
