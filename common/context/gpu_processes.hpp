// Other processes on the GPU.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace trilane {

/// "1234 python3" for every process of `pids` except this one, which must have a context on the
/// GPU. If this one is not among them, the numbers are from another pid namespace, as in a
/// container. Names looked up here would then be wrong, so they are left out, and a note says that
/// one process may be this one. `root` replaces / in tests.
std::vector<std::string> describe_others(std::set<unsigned> pids, std::vector<std::string>& notes,
                                         const std::filesystem::path& root = "/");

}  // namespace trilane
