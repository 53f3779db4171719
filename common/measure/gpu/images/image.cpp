#include "common/measure/gpu/images/image.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/crc.hpp>

#include "common/base/console/output_file.hpp"
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

namespace fs = std::filesystem;

// Change it together with the layout below.
constexpr std::string_view image_layout = "trilane image 2\n";

std::string digits_of(std::string_view bytes) { return fmt::format("{:016x}", checksum_of(bytes)); }

constexpr std::size_t digits = 16;

/// Returns the part that the checksum covers: "cubin 1 2048\n" with the numbers of lowered names
/// and of the key's bytes, the key, a line for each lowered name, then the image.
std::string body_of(const std::string& key, const Image& image) {
  std::string body =
      fmt::format("{} {} {}\n", name_of(image.kind), image.lowered.size(), key.size()) + key;
  for (const LoweredName& name : image.lowered) body += name.written + '\t' + name.demangled + '\n';
  return body + image.bytes;
}

/// Parses an image; assumes that the checksum was right.
std::optional<Image> image_in(std::string body, const std::string& key) {
  std::istringstream in(std::move(body));
  std::string kind_word;
  std::size_t names = 0, key_bytes = 0;
  in >> kind_word >> names >> key_bytes;
  const std::optional<ImageKind> kind = kind_called(kind_word);
  if (in.get() != '\n' || key_bytes != key.size() || !kind) return {};
  std::string kept_key(key_bytes, '\0');
  if (!in.read(kept_key.data(), static_cast<std::streamsize>(key_bytes)) || kept_key != key) {
    return {};
  }
  Image image{.kind = *kind};
  for (std::size_t i = 0; i < names; ++i) {
    LoweredName name;
    if (!std::getline(in, name.written, '\t') || !std::getline(in, name.demangled)) return {};
    image.lowered.push_back(std::move(name));
  }
  image.bytes = in.str().substr(static_cast<std::size_t>(in.tellg()));
  if (!flaw_of(image.kind, image.bytes).empty()) return {};
  return image;
}

/// Returns true if the file is no link and only this user could have written it.
bool is_own(const fs::path& file) {
  struct stat found {};
  return lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
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
  throw UsageError("{} {}", printable(file.string()), error.what());
}

std::uint64_t checksum_of(std::string_view bytes) {
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693, UINT64_MAX, UINT64_MAX, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  // By the XDG specification a relative path there must be ignored.
  if (cache && *cache == '/') return fs::path(cache) / "trilane";
  const char* const home = std::getenv("HOME");
  return home && *home == '/' ? fs::path(home) / ".cache" / "trilane" : fs::path();
}

fs::path ImageCache::file_of(const std::string& key) const {
  return folder_ / (digits_of(key) + suffix);
}

std::optional<Image> ImageCache::find(const std::string& key) const noexcept try {
  if (folder_.empty() || !is_own(file_of(key))) return {};
  std::string content = content_of_input(file_of(key));
  constexpr std::size_t start = image_layout.size() + digits + 1;
  if (!content.starts_with(image_layout) || content.size() < start) return {};
  const std::string checksum = content.substr(image_layout.size(), digits);
  std::string body = content.substr(start);
  if (digits_of(body) != checksum) return {};
  std::optional<Image> image = image_in(std::move(body), key);
  std::error_code none;
  if (image) fs::last_write_time(file_of(key), fs::file_time_type::clock::now(), none);
  return image;
} catch (const std::exception&) {
  return {};
}

void ImageCache::keep(const std::string& key, const Image& image) const noexcept try {
  const std::string body = body_of(key, image);
  if (folder_.empty() || body.size() + image_layout.size() + digits + 1 > most_bytes_) return;
  fs::create_directories(folder_.parent_path());
  if (mkdir(folder_.c_str(), 0700) == 0) fs::permissions(folder_, fs::perms::owner_all);
  remove_left_behind(folder_);
  TemporaryFile file(file_of(key));
  file.write(image_layout);
  file.write(digits_of(body) + '\n');
  file.write(body);
  file.replace(file_of(key));
  fs::permissions(file_of(key), fs::perms::owner_read | fs::perms::owner_write);
  make_room();
} catch (const std::exception&) {
  // Without a cache the next run compiles again.
}

void ImageCache::make_room() const {
  struct Kept {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path name;
  };
  std::vector<Kept> files;
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != suffix || !entry.is_regular_file()) continue;
    files.push_back({entry.last_write_time(), entry.file_size(), entry.path()});
    bytes += files.back().bytes;
  }
  std::ranges::sort(files, {}, &Kept::time);
  for (const Kept& file : files) {
    if (bytes <= most_bytes_) return;
    fs::remove(file.name);
    bytes -= file.bytes;
  }
}

}  // namespace trilane
