// Reads an ELF file in memory, any byte of which may be wrong.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace trilane {

/// The file ends too early, or contradicts itself.
class DamagedElf : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ElfReader {
 public:
  /// Reads a 64-bit file of the machine's own byte order. Throws DamagedElf, as all functions do.
  explicit ElfReader(std::span<const std::byte> file);

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string name_of(const Elf64_Shdr& section) const;

  struct Symbol {
    std::string name;
    Elf64_Sym entry{};
    std::uint64_t section = 0;  ///< SHN_UNDEF: in another file
  };
  /// Returns all of a section of type SHT_SYMTAB.
  std::vector<Symbol> symbols(const Elf64_Shdr& table) const;

 private:
  std::span<const std::byte> part(std::uint64_t offset, std::uint64_t bytes) const;
  template <typename Entry>
  std::vector<Entry> entries(const Elf64_Shdr& section) const;
  std::string text(std::uint64_t table, std::uint64_t offset) const;
  std::vector<std::uint32_t> large_indices(const Elf64_Shdr& table) const;

  std::span<const std::byte> file_;
  std::vector<Elf64_Shdr> sections_;
  std::uint64_t names_ = 0;  ///< number of the section with the sections' names
};

}  // namespace trilane
