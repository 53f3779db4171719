#include "common/base/json/input_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "common/base/system/lock.hpp"
#include "common/base/text/gzip.hpp"

namespace trilane {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(fmt::format("cannot be read ({})", why));
}

/// Returns the reason why a file of this kind cannot be read; empty for a regular file.
std::string obstacle(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return std::strerror(EISDIR);
  if (S_ISFIFO(mode)) return "it is a pipe: save its output in a file";
  return "it is a device or socket, not a regular file";
}

std::string unpacked(const std::string& bytes, std::size_t most) try {
  return gunzipped(bytes, most);
} catch (const std::invalid_argument& error) {
  refuse(error.what());
}

}  // namespace

std::string content_of_input(const std::string& path, std::size_t most) {
  const OpenFile file = OpenFile::to_read(path);
  struct stat found {};
  if (!file || fstat(file.get(), &found) != 0) refuse(std::strerror(errno));
  if (const std::string why = obstacle(found.st_mode); !why.empty()) refuse(why);
  const std::string too_large = fmt::format("it is larger than {} MiB", most >> 20);
  if (std::cmp_greater(found.st_size, most)) refuse(too_large);
  // Files of /proc report no size, and others can grow: a last read finds the end.
  constexpr std::size_t more = std::size_t{16} << 10;
  const auto size = static_cast<std::size_t>(found.st_size);
  std::string content;
  content.reserve(size + 2 * more);
  for (std::size_t step = size + more; content.size() <= most; step = more) {
    const std::size_t used = content.size();
    content.resize(used + step);
    const ssize_t length = ::read(file.get(), content.data() + used, step);
    content.resize(used + static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    if (length < 0 && errno != EINTR) refuse(std::strerror(errno));
    if (length == 0) break;
  }
  if (content.size() <= most && is_gzip(content)) content = unpacked(content, most);
  if (content.empty()) refuse("it is empty");
  if (content.size() > most) refuse(too_large);
  return content;
}

std::string start_of_input(const std::string& path, std::size_t most) try {
  const OpenFile file = OpenFile::to_read(path);
  struct stat found {};
  if (!file || fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return "";
  std::string content(std::size_t{64} << 10, '\0');
  const ssize_t length = ::read(file.get(), content.data(), content.size());
  content.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  if (is_gzip(content)) content = gunzipped(content, most);
  return content.substr(0, most);
} catch (const std::invalid_argument&) {
  return "";
}

}  // namespace trilane
