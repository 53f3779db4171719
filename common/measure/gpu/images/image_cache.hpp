// Compiled images, cached for later runs together with everything they were made from.
#pragma once

#include "common/measure/gpu/images/image.hpp"

namespace trilane {

/// The limit on the cache's size; the least recently used images are evicted first.
inline constexpr std::uint64_t most_cached_bytes = std::uint64_t{64} << 20;

/// Returns $XDG_CACHE_HOME/trilane or ~/.cache/trilane; empty if neither variable is set.
std::filesystem::path cache_folder();

/// A folder of images. No function fails: unreadable files count as absent, failed writes are
/// ignored.
class ImageCache {
 public:
  /// With an empty name nothing is cached.
  explicit ImageCache(std::filesystem::path folder = cache_folder(),
                      std::uint64_t most_bytes = most_cached_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// Returns the image cached under a key, which may be any text. Absent unless its file:
  /// - holds this very key,
  /// - belongs to this user and is writable by nobody else,
  /// - has the right checksum.
  std::optional<Image> find(const std::string& key) const noexcept;

  /// Caches an image, without Image::templates, unless it and its key alone are too large. It
  /// replaces an image whose key has the same checksum.
  void keep(const std::string& key, const Image& image) const noexcept;

 private:
  std::filesystem::path file_of(const std::string& key) const;
  void make_room() const;

  static constexpr const char* suffix = ".image";
  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
};

/// Returns CRC-64 as in ECMA-182, reflected (CRC-64/XZ). It is the same on every machine and in
/// every release.
std::uint64_t checksum_of(std::string_view bytes);

}  // namespace trilane
