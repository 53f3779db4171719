// Files that one run cannot both read and write, or write twice.
#pragma once

namespace trilane {

class Given;

/// Throws UsageError if two outputs name the same file, or an output names an input file, even with
/// --force. Compares the files that names lead to, through symbolic links.
void check_files(const Given& given);

}  // namespace trilane
