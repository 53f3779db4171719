// The only entry: every file that a command reads is read here.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// More than any file that Trilane writes: 19 variants on 6 workloads take 0.8 MB.
inline constexpr std::size_t most_input_bytes = std::size_t{256} << 20;

/// Returns the content of a regular file of 1 to `most` bytes, whole MiB. Decompresses gzip data,
/// whatever the file's name is; the limit holds for what comes out, too. Neither waits for a pipe's
/// writer nor reads a device. Throws std::invalid_argument with the reason: "cannot be read (No
/// such file or directory)".
std::string content_of_input(const std::string& path, std::size_t most = most_input_bytes);

/// Returns the first `most` bytes, at most 32 KiB, of a file of any size; empty if it cannot be read.
std::string start_of_input(const std::string& path, std::size_t most);

}  // namespace trilane
