#include "common/application/source/debug_information.hpp"

#include <boost/iostreams/device/mapped_file.hpp>

#include "common/base/system/library.hpp"
#include "common/base/system/lock.hpp"
#include "common/base/text/cpp_names.hpp"
#include "common/measure/gpu/images/kernel_names.hpp"

#if __has_include(<elfutils/libdw.h>)
#include <dwarf.h>
#include <elfutils/libdw.h>
#define TRILANE_LIBDW
#endif

namespace trilane {
namespace {

/// Returns "ns::step<int>" for a symbol of a C++ function; other symbols unchanged.
std::string function_name(const std::string& symbol) {
  std::string text = demangled(symbol);
  if (text == symbol) return symbol;
  // Qualifiers and the names of clones follow the parameter list.
  if (const std::size_t clone = text.find(" [clone"); clone != text.npos) text.resize(clone);
  constexpr std::array<std::string_view, 4> qualifiers{" const", " volatile", " &", " &&"};
  for (const std::string_view qualifier : qualifiers) {
    if (text.ends_with(qualifier)) text.resize(text.size() - qualifier.size());
  }
  return qualified_name(text);
}

/// Returns the functions of the table of symbols; in a stripped file only those that it exports.
std::vector<ElfReader::Symbol> functions_in(const std::string& module) try {
  const boost::iostreams::mapped_file_source file(module);
  const ElfReader elf(std::as_bytes(std::span(file.data(), file.size())));
  for (const unsigned type : {SHT_SYMTAB, SHT_DYNSYM}) {
    const auto table = std::ranges::find(elf.sections(), type, &Elf64_Shdr::sh_type);
    if (table == elf.sections().end()) continue;
    std::vector<ElfReader::Symbol> functions = elf.symbols(*table);
    std::erase_if(functions, [](const ElfReader::Symbol& symbol) {
      const bool is_function = ELF64_ST_TYPE(symbol.entry.st_info) == STT_FUNC;
      return !is_function || symbol.section == SHN_UNDEF;
    });
    return functions;
  }
  return {};
} catch (const std::exception&) {  // no such file, or damaged
  return {};
}

}  // namespace

#ifdef TRILANE_LIBDW

// Not in an anonymous namespace, because Lines is not either.

struct Libdw {
  Library library{{"libdw.so.1"}};
  decltype(&dwarf_begin) begin = library.function("dwarf_begin");
  decltype(&dwarf_end) end = library.function("dwarf_end");
  decltype(&dwarf_addrdie) unit_at = library.function("dwarf_addrdie");
  decltype(&dwarf_nextcu) next_unit = library.function("dwarf_nextcu");
  decltype(&dwarf_offdie) entry_at = library.function("dwarf_offdie");
  decltype(&dwarf_haspc) holds = library.function("dwarf_haspc");
  decltype(&dwarf_getscopes) scopes = library.function("dwarf_getscopes");
  decltype(&dwarf_getscopes_die) scopes_of = library.function("dwarf_getscopes_die");
  decltype(&dwarf_tag) tag = library.function("dwarf_tag");
  decltype(&dwarf_attr) attribute = library.function("dwarf_attr");
  decltype(&dwarf_attr_integrate) attribute_or_origins = library.function("dwarf_attr_integrate");
  decltype(&dwarf_formstring) string_in = library.function("dwarf_formstring");
  decltype(&dwarf_formudata) number_in = library.function("dwarf_formudata");
  decltype(&dwarf_diename) name = library.function("dwarf_diename");
  decltype(&dwarf_getsrc_die) line_at = library.function("dwarf_getsrc_die");
  decltype(&dwarf_linesrc) file_of = library.function("dwarf_linesrc");
  decltype(&dwarf_lineno) number_of = library.function("dwarf_lineno");
  decltype(&dwarf_getsrcfiles) files = library.function("dwarf_getsrcfiles");
  decltype(&dwarf_filesrc) file = library.function("dwarf_filesrc");
};

/// Returns the library's functions, loaded at first use; all are null if it is not installed.
static const Libdw& libdw() {
  static const Libdw all;
  return all;
}

template <typename Fill>
static std::vector<Dwarf_Die> entries(Fill fill) {
  Dwarf_Die* first = nullptr;
  const int count = fill(&first);
  std::vector<Dwarf_Die> all(first, first + std::max(0, count));
  std::free(first);
  return all;
}

static std::string text_of(const char* text) { return text == nullptr ? "" : text; }

class DebugInformation::Lines : boost::noncopyable {
 public:
  explicit Lines(const std::string& module) : file_(OpenFile::to_read(module)) {
    if (dw_.library && file_) dwarf_ = dw_.begin(file_.get(), DWARF_C_READ);
  }
  ~Lines() {
    if (dwarf_ != nullptr) dw_.end(dwarf_);
  }

  std::vector<SourcePlace> at(std::uint64_t offset) const {
    Dwarf_Die unit;
    if (dwarf_ == nullptr || !find_unit(offset, unit)) return {};
    auto innermost = entries([&](Dwarf_Die** to) { return dw_.scopes(&unit, offset, to); });
    if (innermost.empty()) return {};
    // Where an inlined function is defined, other scopes are around it than where it is called.
    auto around = entries([&](Dwarf_Die** to) { return dw_.scopes_of(innermost.data(), to); });
    SourcePlace place = line_at(unit, offset);
    std::vector<SourcePlace> places;
    for (Dwarf_Die& entry : around) {
      const int tag = dw_.tag(&entry);
      if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
      place.function = name_of(entry);
      places.push_back(place);
      if (tag == DW_TAG_subprogram) break;
      place = call_of(unit, entry);
    }
    std::ranges::reverse(places);
    return places;
  }

 private:
  /// Finds the unit by the table of addresses, which some compilers do not write.
  bool find_unit(std::uint64_t offset, Dwarf_Die& unit) const {
    if (dw_.unit_at(dwarf_, offset, &unit) != nullptr) return true;
    std::size_t header = 0;
    for (Dwarf_Off at = 0, next = 0;
         dw_.next_unit(dwarf_, at, &next, &header, nullptr, nullptr, nullptr) == 0; at = next) {
      const bool found = dw_.entry_at(dwarf_, at + header, &unit) != nullptr;
      if (found && dw_.holds(&unit, offset) > 0) return true;
    }
    return false;
  }

  SourcePlace line_at(Dwarf_Die& unit, std::uint64_t offset) const {
    Dwarf_Line* const line = dw_.line_at(&unit, offset);
    if (line == nullptr) return {};
    int number = 0;
    dw_.number_of(line, &number);
    return {.file = text_of(dw_.file_of(line, nullptr, nullptr)),
            .line = static_cast<std::uint32_t>(std::max(0, number))};
  }

  std::string name_of(Dwarf_Die& entry) const {
    Dwarf_Attribute found;
    if (dw_.attribute_or_origins(&entry, DW_AT_linkage_name, &found) != nullptr) {
      if (const char* const symbol = dw_.string_in(&found)) return function_name(symbol);
    }
    return text_of(dw_.name(&entry));
  }

  std::uint64_t number(Dwarf_Die& entry, unsigned name) const {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    const bool known =
        dw_.attribute(&entry, name, &found) != nullptr && dw_.number_in(&found, &value) == 0;
    return known ? value : 0;
  }

  SourcePlace call_of(Dwarf_Die& unit, Dwarf_Die& inlined) const {
    SourcePlace place{.line = static_cast<std::uint32_t>(number(inlined, DW_AT_call_line))};
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dw_.files(&unit, &files, &count) == 0) {
      place.file = text_of(dw_.file(files, number(inlined, DW_AT_call_file), nullptr, nullptr));
    }
    return place;
  }

  const Libdw& dw_ = libdw();
  const OpenFile file_;
  Dwarf* dwarf_ = nullptr;
};

#else

class DebugInformation::Lines {
 public:
  explicit Lines(const std::string&) {}
  std::vector<SourcePlace> at(std::uint64_t) const { return {}; }
};

#endif

DebugInformation::DebugInformation(const std::string& module)
    : module_(module), lines_(std::make_unique<const Lines>(module)) {}

DebugInformation::~DebugInformation() = default;

std::vector<SourcePlace> DebugInformation::at(std::uint64_t offset) {
  std::vector<SourcePlace> places = lines_->at(offset);
  if (!places.empty()) return places;
  if (!functions_) functions_ = functions_in(module_);
  const auto function = std::ranges::find_if(*functions_, [&](const ElfReader::Symbol& symbol) {
    return offset - symbol.entry.st_value < symbol.entry.st_size;  // unsigned: also if before it
  });
  if (function == functions_->end()) return {};
  return {{.function = function_name(function->name), .line = 0}};
}

}  // namespace trilane
