// Device code that the driver can load, and the files that hold it.
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

}  // namespace trilane
