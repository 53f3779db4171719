// The code of a module, handmade: an ELF file with a table of symbols.
#pragma once

#include <elf.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace made_up {

inline constexpr unsigned char managed_flag = 4;

/// Sections from 1 on, as Cubin::bytes() lays them out.
enum Section : std::uint16_t { outside, names, texts, table, code, global, initial, constant };

class Cubin {
 public:
  void add(const std::string& name, unsigned char type, std::uint16_t section,
           unsigned char other = 0) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<std::uint32_t>(texts_.size());
    symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_LOCAL, type));
    symbol.st_other = other;
    symbol.st_shndx = section;
    symbol.st_size = 4;
    texts_ += name + '\0';
    symbols_ += as_text(symbol);
  }
  void function(const std::string& name) { add(name, STT_FUNC, code); }
  void variable(const std::string& name, std::uint16_t section = global, unsigned char other = 0) {
    add(name, STT_OBJECT, section, other);
  }

  std::string bytes() const {
    std::string file(sizeof(Elf64_Ehdr), '\0'), headers = as_text(Elf64_Shdr{}), all_names(1, '\0');
    const auto put = [&](const char* name, std::uint32_t type, const std::string& content) {
      Elf64_Shdr header{};
      header.sh_name = static_cast<std::uint32_t>(all_names.size());
      header.sh_type = type;
      header.sh_offset = file.size();
      header.sh_size = content.size();
      header.sh_link = texts;
      header.sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0;
      all_names += std::string(name) + '\0';
      file += content;
      headers += as_text(header);
    };
    // Its own name is put into it before the others are known: all have the places of this text.
    const std::string shown(128, '\0');
    const std::size_t names_at = file.size();
    put(".shstrtab", SHT_STRTAB, shown);
    put(".strtab", SHT_STRTAB, texts_);
    put(".symtab", SHT_SYMTAB, symbols_);
    put(".text.k", SHT_PROGBITS, "code");
    put(".nv.global", SHT_NOBITS, "");
    put(".nv.global.init", SHT_PROGBITS, "init");
    put(".nv.constant3", SHT_PROGBITS, "constant");
    put(".nv.shared.k", SHT_NOBITS, "");
    file.replace(names_at, all_names.size(), all_names);
    Elf64_Ehdr header{};
    std::copy_n(ELFMAG, SELFMAG, header.e_ident);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(headers.size() / sizeof(Elf64_Shdr));
    header.e_shstrndx = names;
    header.e_shoff = file.size();
    file.replace(0, sizeof header, as_text(header));
    return file + headers;
  }

 private:
  template <typename T>
  static std::string as_text(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  std::string texts_ = std::string(1, '\0'), symbols_ = as_text(Elf64_Sym{});
};

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace made_up
