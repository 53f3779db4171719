// Compiled images, kept for later runs with all that they were made from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/measure/gpu/images/image.hpp"

namespace trilane {

/// All that the cache may hold; the images that were unused for the longest time go first.
inline constexpr std::uint64_t most_cached_bytes = std::uint64_t{64} << 20;

/// $XDG_CACHE_HOME/trilane or ~/.cache/trilane; empty where there is neither.
std::filesystem::path cache_folder();

/// A folder of images. Nothing fails: what cannot be read or written is not there.
class ImageCache {
 public:
  /// An empty name: nothing is kept.
  explicit ImageCache(std::filesystem::path folder = cache_folder(),
                      std::uint64_t most_bytes = most_cached_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// The image kept under a key, any text. Absent unless its file holds this very key, belongs to
  /// this user, may be written by nobody else, and is whole, by its checksum.
  std::optional<Image> find(const std::string& key) const noexcept;

  /// Keeps an image, without Image::templates, unless it and its key alone are too large. It takes
  /// the place of one whose key has the same checksum.
  void keep(const std::string& key, const Image& image) const noexcept;

 private:
  std::filesystem::path file_of(const std::string& key) const;
  void make_room() const;

  static constexpr const char* suffix = ".image";
  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
};

}  // namespace trilane
