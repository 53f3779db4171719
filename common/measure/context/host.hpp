// The machine of a run, without the names of machine and user.
#pragma once

#include <filesystem>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns processor, CPUs online and allowed, memory, kernel, system, CPU governor, load, and
/// whether the machine is virtual. What cannot be read is an empty string. `root` replaces / in
/// tests.
std::vector<Property> describe_host(const std::filesystem::path& root = "/");

/// Returns this process's CUDA_* and NVIDIA_* variables by name, except NVIDIA_REQUIRE_*. Results
/// files are published: the user's home is written as "~", and what looks like a secret as "(not
/// recorded)".
std::vector<Property> describe_environment();

/// Returns `text` with the home directory, if it is a complete path, written as "~".
std::string without_home(const std::string& text);

}  // namespace trilane
