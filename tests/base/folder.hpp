// A test's own folder.
#pragma once

#include <stdlib.h>

#include "tests/framework.hpp"

namespace trilane {

/// Returns the content of a file; empty if it cannot be read.
inline std::string content_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Empty at first; removed with its content.
struct Folder {
  std::filesystem::path path;

  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "trilane-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  /// Returns the path of an entry.
  std::string operator/(const std::string& name) const { return (path / name).string(); }

  /// Writes a file, and makes the folders that it is in. Returns its path.
  std::filesystem::path put(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << content;
    return path / name;
  }

  /// Returns the names of all entries.
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      all.insert(entry.path().filename());
    return all;
  }
};

}  // namespace trilane
