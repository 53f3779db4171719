// A folder that stands for / in tests.
#pragma once

#include <fstream>
#include <string>

#include "tests/base/folder.hpp"

namespace trilane {

struct FakeRoot : Folder {
  /// Writes a file and the folders that it is in.
  void write(const std::string& file, const std::string& content) const {
    std::filesystem::create_directories((path / file).parent_path());
    std::ofstream(path / file) << content;
  }
};

}  // namespace trilane
