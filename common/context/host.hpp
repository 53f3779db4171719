// The machine that the run was made on, without its name or its user's.
#pragma once

#include <filesystem>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// Processor, CPUs there and allowed, memory, kernel, system, CPU governor, load, and whether the
/// machine is virtual. What cannot be read is an empty string. `root` stands for / in tests.
std::vector<Property> describe_host(const std::filesystem::path& root = "/");

/// This process's CUDA_* and NVIDIA_* variables by name, without NVIDIA_REQUIRE_*. The user's home
/// reads "~", and what looks like a secret "(not recorded)": results files are published.
std::vector<Property> describe_environment();

/// `text` with the home directory, where it stands as a whole path, written as "~".
std::string without_home(const std::string& text);

}  // namespace trilane
