// Who else is on the GPU.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace trilane {

/// "1234 python3" for every process of `pids` but this one, whose context on the GPU must be open.
/// When this one is not among them they are numbered in another pid namespace, as in a container:
/// then names looked up here would be wrong, so none are, and a note says that one of them is this
/// process. `root` stands for / in tests.
std::vector<std::string> describe_others(std::set<unsigned> pids, std::vector<std::string>& notes,
                                         const std::filesystem::path& root = "/");

}  // namespace trilane
