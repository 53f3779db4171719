#include "common/measure/gpu/images/image.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

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

/// Returns true if `size` bytes from `offset` lie within `bytes`; no sum overflows.
bool within(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

template <typename Header>
std::optional<Header> read(std::string_view bytes, std::uint64_t offset) {
  Header header;
  if (!within(bytes, offset, sizeof header)) return {};
  std::memcpy(&header, bytes.data() + offset, sizeof header);
  return header;
}

const char* flaw_of_cubin(std::string_view bytes) {
  const auto header = read<Elf64_Ehdr>(bytes, 0);
  if (!bytes.starts_with(ELFMAG)) return "it is no ELF file";
  if (!header) return incomplete;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != elf_machine_cuda) {
    return "it is an ELF file, but not of device code";
  }
  const bool sizes_fit = (header->e_shnum == 0 || header->e_shentsize == sizeof(Elf64_Shdr)) &&
                         (header->e_phnum == 0 || header->e_phentsize == sizeof(Elf64_Phdr));
  if (!sizes_fit || header->e_shnum == 0 || header->e_shstrndx >= header->e_shnum) {
    return incomplete;
  }
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    if (header->e_shoff > bytes.size()) return incomplete;
    const auto section = read<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return incomplete;
    const bool has_bytes = section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL;
    if (has_bytes && !within(bytes, section->sh_offset, section->sh_size)) {
      return incomplete;
    }
  }
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (header->e_phoff > bytes.size()) return incomplete;
    const auto segment = read<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || !within(bytes, segment->p_offset, segment->p_filesz)) {
      return incomplete;
    }
  }
  return "";
}

const char* flaw_of_fatbin(std::string_view bytes) {
  const auto header = read<FatbinHeader>(bytes, 0);
  if (!header || header->magic != fatbin_magic) return "it does not begin like one";
  if (header->header_bytes < sizeof *header || header->bytes == 0 ||
      !within(bytes, header->header_bytes, header->bytes)) {
    return incomplete;
  }
  const std::string_view inner = bytes.substr(header->header_bytes, header->bytes);
  for (std::uint64_t at = 0; at < inner.size();) {
    const auto entry = read<FatbinEntry>(inner, at);
    if (!entry || entry->header_bytes < sizeof *entry || !within(inner, at, entry->header_bytes) ||
        !within(inner, at + entry->header_bytes, entry->bytes)) {
      return incomplete;
    }
    at += entry->header_bytes + entry->bytes;
  }
  return "";
}

const char* flaw_of_ptx(std::string_view text) {
  if (text.find('\0') != text.npos) return "it is no text";
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

std::optional<ImageKind> kind_by_name(const std::filesystem::path& file) {
  const std::string extension = file.extension();
  return extension.empty() ? std::nullopt : kind_called(extension.substr(1));
}

}  // namespace

std::string flaw_of(ImageKind kind, std::string_view bytes) {
  switch (kind) {
    case ImageKind::ptx: return flaw_of_ptx(bytes);
    case ImageKind::cubin: return flaw_of_cubin(bytes);
    case ImageKind::fatbin: return flaw_of_fatbin(bytes);
  }
  return "";
}

std::optional<ImageKind> kind_called(std::string_view word) {
  for (const ImageKind kind : {ImageKind::ptx, ImageKind::cubin, ImageKind::fatbin}) {
    if (word == name_of(kind)) return kind;
  }
  return {};
}

bool is_image_file(const std::filesystem::path& file) { return kind_by_name(file).has_value(); }

Image read_image(const std::filesystem::path& file) try {
  const std::optional<ImageKind> kind = kind_by_name(file);
  if (!kind) throw std::invalid_argument("is not a .cu, .ptx, .cubin or .fatbin file");
  Image image{.kind = *kind, .bytes = content_of_input(file), .lowered = {}, .templates = {}};
  if (const std::string flaw = flaw_of(*kind, image.bytes); !flaw.empty()) {
    throw std::invalid_argument(
        fmt::format("is no {} that can be loaded: {}; compile it again with nvcc -{} -arch=native",
                    name_of(*kind), flaw, name_of(*kind)));
  }
  return image;
} catch (const std::invalid_argument& error) {
  throw UsageError(fmt::format("{} {}", printable(file.string()), error.what()));
}

}  // namespace trilane
