#include "common/base/text/elf_reader.hpp"

namespace trilane {

std::span<const std::byte> elf_part(std::span<const std::byte> file, std::uint64_t offset,
                                    std::uint64_t bytes) {
  if (offset > file.size() || bytes > file.size() - offset) throw DamagedElf("it is cut off");
  return file.subspan(offset, bytes);
}

bool is_readable_elf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
}

ElfReader::ElfReader(std::span<const std::byte> file) : file_(file) {
  const auto header = elf_entry<Elf64_Ehdr>(file, 0);
  if (!is_readable_elf(header)) throw DamagedElf("not a 64-bit ELF file");
  if (header.e_shoff == 0 || header.e_shentsize != sizeof(Elf64_Shdr)) {
    throw DamagedElf("it has no table of sections");
  }
  // Numbers that do not fit into the header are in the first section.
  const auto first = elf_entry<Elf64_Shdr>(file, header.e_shoff);
  const std::uint64_t count = header.e_shnum == 0 ? first.sh_size : header.e_shnum;
  names_ = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
  if (count > file.size() / sizeof(Elf64_Shdr)) throw DamagedElf("it has too many sections");
  const auto table = elf_part(file, header.e_shoff, count * sizeof(Elf64_Shdr));
  for (std::size_t i = 0; i < count; ++i) {
    sections_.push_back(elf_entry<Elf64_Shdr>(table, i * sizeof(Elf64_Shdr)));
  }
}

template <typename Entry>
std::vector<Entry> ElfReader::entries(const Elf64_Shdr& section) const {
  const auto bytes = elf_part(file_, section.sh_offset, section.sh_size);
  std::vector<Entry> all;
  for (std::size_t at = 0; at + sizeof(Entry) <= bytes.size(); at += sizeof(Entry)) {
    all.push_back(elf_entry<Entry>(bytes, at));
  }
  return all;
}

std::string ElfReader::text(std::uint64_t table, std::uint64_t offset) const {
  if (table >= sections_.size()) throw DamagedElf("it has no such section");
  const auto texts = elf_part(file_, sections_[table].sh_offset, sections_[table].sh_size);
  if (offset >= texts.size()) throw DamagedElf("a name lies outside of its section");
  const auto rest = texts.subspan(offset);
  const auto end = std::ranges::find(rest, std::byte{0});
  if (end == rest.end()) throw DamagedElf("a name does not end");
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

std::vector<std::uint32_t> ElfReader::words(const Elf64_Shdr& section) const {
  return entries<std::uint32_t>(section);
}

/// Returns the sections of symbols whose entry has no room for the number.
std::vector<std::uint32_t> ElfReader::large_indices(const Elf64_Shdr& table) const {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_SYMTAB_SHNDX || section.sh_link >= sections_.size()) continue;
    if (sections_[section.sh_link].sh_offset == table.sh_offset) {
      return words(section);
    }
  }
  return {};
}

std::vector<ElfReader::Symbol> ElfReader::symbols(const Elf64_Shdr& table) const {
  if (table.sh_entsize != sizeof(Elf64_Sym)) throw DamagedElf("its symbols have another size");
  const std::vector<std::uint32_t> large = large_indices(table);
  std::vector<Symbol> all;
  for (const Elf64_Sym& entry : entries<Elf64_Sym>(table)) {
    const std::size_t number = all.size();
    Symbol symbol{text(table.sh_link, entry.st_name), entry, entry.st_shndx};
    if (entry.st_shndx == SHN_XINDEX) {
      if (number >= large.size()) throw DamagedElf("a symbol has no section");
      symbol.section = large[number];
    }
    all.push_back(std::move(symbol));
  }
  return all;
}

}  // namespace trilane
