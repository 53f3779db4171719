// What a program prints about itself without a GPU.
#pragma once

#include <string>

#include "common/commands/options/options.hpp"

namespace trilane {

/// "trilane 0.1.0 (revision, build type)".
std::string version_text(const std::string& program);

/// Every variant with its summary, every preset with its shape and regime.
std::string list_text();

/// The plan of each chosen variant for each chosen workload.
std::string dry_run_text(const Options& options);

}  // namespace trilane
