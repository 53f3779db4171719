#include "common/measure/gpu/images/image_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/crc.hpp>

#include "common/base/console/output_file.hpp"
#include "common/base/json/document.hpp"

namespace trilane {
namespace {

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
