// Reads an ELF file in memory, any byte of which may be wrong.
#pragma once

#include <elf.h>

#include "common/std.hpp"

namespace trilane {

/// The file ends too early, or contradicts itself.
struct DamagedElf : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns `bytes` bytes from `offset`; no sum overflows. Throws DamagedElf if the file is shorter.
std::span<const std::byte> elf_part(std::span<const std::byte> file, std::uint64_t offset,
                                    std::uint64_t bytes);

/// Returns a copy of the entry at `offset`, of any alignment. Throws DamagedElf beyond the end.
template <typename Entry>
Entry elf_entry(std::span<const std::byte> file, std::uint64_t offset) {
  Entry entry;
  std::memcpy(&entry, elf_part(file, offset, sizeof entry).data(), sizeof entry);
  return entry;
}

/// Returns true if the header is that of a 64-bit file of the machine's own byte order.
bool is_readable_elf(const Elf64_Ehdr& header);

class ElfReader {
 public:
  /// Reads a 64-bit file of the machine's own byte order. Throws DamagedElf, as all functions do.
  explicit ElfReader(std::span<const std::byte> file);

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string name_of(const Elf64_Shdr& section) const { return text(names_, section.sh_name); }

  struct Symbol {
    std::string name;
    Elf64_Sym entry{};
    std::uint64_t section = 0;  ///< SHN_UNDEF: in another file
  };
  /// Returns all of a section of type SHT_SYMTAB.
  std::vector<Symbol> symbols(const Elf64_Shdr& table) const;
  /// Returns the content of a section in units of 32 bits, without a rest.
  std::vector<std::uint32_t> words(const Elf64_Shdr& section) const;

 private:
  template <typename Entry>
  std::vector<Entry> entries(const Elf64_Shdr& section) const;
  std::string text(std::uint64_t table, std::uint64_t offset) const;
  std::vector<std::uint32_t> large_indices(const Elf64_Shdr& table) const;

  std::span<const std::byte> file_;
  std::vector<Elf64_Shdr> sections_;
  std::uint64_t names_ = 0;  ///< number of the section with the sections' names
};

}  // namespace trilane
