// Device code that the driver can load, the files that hold it, and the cache of compiled images.
#pragma once

#include "common/base/text/enumerators.hpp"
#include "common/measure/gpu/images/kernel_names.hpp"

namespace trilane {

BOOST_DEFINE_ENUM_CLASS(ImageKind, ptx, cubin, fatbin)

/// Returns the kind with that name; absent for other words.
std::optional<ImageKind> kind_called(std::string_view word);

struct Image {
  ImageKind kind = ImageKind::cubin;
  std::string bytes{};                   ///< the driver loads c_str()
  std::vector<LoweredName> lowered{};    ///< for names with template arguments
  std::vector<std::string> templates{};  ///< template kernels of the source
};

/// Returns the reason why these bytes are not a complete image of that kind; empty if they are. The
/// driver gets an image without its size, so every offset in the headers must lie within it.
std::string flaw_of(ImageKind kind, std::string_view bytes);

/// Returns the image in a .ptx, .cubin or .fatbin file. Throws UsageError if it has another name,
/// cannot be read, or has other contents.
Image read_image(const std::filesystem::path& file);

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
