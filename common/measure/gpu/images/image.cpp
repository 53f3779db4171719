#include "common/measure/gpu/images/image.hpp"

#include "common/base/json/document.hpp"
#include "common/base/text/elf_reader.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr const char* incomplete = "it is cut off or damaged";
constexpr unsigned elf_machine_cuda = 190;  // EM_CUDA; older elf.h lack it

/// The header of a fatbin, or of an image in it. Images are padded to 8 bytes; an ELF image is
/// checked only when it is chosen.
struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // after the header
};
struct FatbinEntry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // after the header
};
constexpr std::uint32_t fatbin_magic = 0xBA55ED50;

using Bytes = std::span<const std::byte>;

/// Throws DamagedElf if a part of the file lies behind its end.
std::string flaw_of_cubin(Bytes file) {
  const auto header = elf_entry<Elf64_Ehdr>(file, 0);
  if (!is_readable_elf(header) || header.e_machine != elf_machine_cuda) {
    return "it is an ELF file, but has no device code";
  }
  const bool sizes_fit = (header.e_shnum == 0 || header.e_shentsize == sizeof(Elf64_Shdr)) &&
                         (header.e_phnum == 0 || header.e_phentsize == sizeof(Elf64_Phdr));
  if (!sizes_fit || header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum) {
    return std::string(incomplete);
  }
  const Bytes sections = elf_part(file, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = elf_entry<Elf64_Shdr>(sections, i * sizeof(Elf64_Shdr));
    const bool has_bytes = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    if (has_bytes) elf_part(file, section.sh_offset, section.sh_size);
  }
  if (header.e_phnum == 0) return "";
  const Bytes segments = elf_part(file, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = elf_entry<Elf64_Phdr>(segments, i * sizeof(Elf64_Phdr));
    elf_part(file, segment.p_offset, segment.p_filesz);
  }
  return "";
}

/// Throws DamagedElf, too.
std::string flaw_of_fatbin(Bytes file) {
  if (file.size() < sizeof(FatbinHeader)) return "it does not begin like one";
  const auto header = elf_entry<FatbinHeader>(file, 0);
  if (header.magic != fatbin_magic) return "it does not begin like one";
  if (header.header_bytes < sizeof header || header.bytes == 0) return std::string(incomplete);
  const Bytes inner = elf_part(file, header.header_bytes, header.bytes);
  for (std::uint64_t at = 0; at < inner.size();) {
    const auto entry = elf_entry<FatbinEntry>(inner, at);
    if (entry.header_bytes < sizeof entry) return std::string(incomplete);
    elf_part(elf_part(inner, at, inner.size() - at), entry.header_bytes, entry.bytes);
    at += entry.header_bytes + entry.bytes;
  }
  return "";
}

const char* flaw_of_ptx(std::string_view text) {
  if (text.find('\0') != text.npos) return "it is not text";
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with(".version")) return "";
    const bool line = text.starts_with("//");
    if (!line && !text.starts_with("/*")) break;
    const auto end = text.find(line ? "\n" : "*/", 2);
    text.remove_prefix(end == text.npos ? text.size() : end + (line ? 1 : 2));
  }
  return "it does not begin with .version";
}

}  // namespace

std::string flaw_of(ImageKind kind, std::string_view bytes) try {
  const Bytes file = std::as_bytes(std::span(bytes));
  switch (kind) {
    case ImageKind::ptx: return flaw_of_ptx(bytes);
    case ImageKind::cubin:
      return bytes.starts_with(ELFMAG) ? flaw_of_cubin(file) : "it is not an ELF file";
    case ImageKind::fatbin: return flaw_of_fatbin(file);
  }
  return "";
} catch (const DamagedElf&) {
  return std::string(incomplete);
}

std::optional<ImageKind> kind_called(std::string_view word) {
  for (const ImageKind kind : enumerators<ImageKind>) {
    if (word == name_of(kind)) return kind;
  }
  return {};
}

Image read_image(const std::filesystem::path& file) try {
  const std::string extension = file.extension();
  const auto kind = extension.empty() ? std::nullopt : kind_called(extension.substr(1));
  if (!kind) throw std::invalid_argument("is not a .cu, .ptx, .cubin or .fatbin file");
  Image image{.kind = *kind, .bytes = content_of_input(file)};
  if (const std::string flaw = flaw_of(*kind, image.bytes); !flaw.empty()) {
    throw std::invalid_argument(fmt::format(
        "is not a {} that can be loaded: {}; compile it again with nvcc -{} -arch=native",
        name_of(*kind), flaw, name_of(*kind)));
  }
  return image;
} catch (const std::invalid_argument& error) {
  throw UsageError(fmt::format("{} {}", printable(file.string()), error.what()));
}

}  // namespace trilane
