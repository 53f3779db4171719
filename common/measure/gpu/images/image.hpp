// Device code that the driver can load, and the files that hold it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/measure/gpu/images/kernel_names.hpp"

namespace trilane {

enum class ImageKind { ptx, cubin, fatbin };
constexpr const char* name_of(ImageKind kind) {
  switch (kind) {
    case ImageKind::ptx: return "ptx";
    case ImageKind::cubin: return "cubin";
    case ImageKind::fatbin: return "fatbin";
  }
  return "";
}

struct Image {
  ImageKind kind = ImageKind::cubin;
  std::string bytes;                   ///< c_str() is what the driver loads
  std::vector<LoweredName> lowered;    ///< of names with template arguments
  std::vector<std::string> templates;  ///< kernels of the source that are templates
};

/// Why these bytes are no complete image of that kind; empty if they are. The driver gets an image
/// without its size, so that every offset in its headers has to lie within it.
std::string flaw_of(ImageKind kind, std::string_view bytes);

/// Whether the file is to be read as it is: it ends in .ptx, .cubin or .fatbin.
bool is_image_file(const std::filesystem::path& file);

/// The image in such a file. Throws UsageError if it cannot be read, or holds something else.
Image read_image(const std::filesystem::path& file);

}  // namespace trilane
