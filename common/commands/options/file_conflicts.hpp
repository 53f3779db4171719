// Files that cannot be read and written in one run, nor written twice.
#pragma once

namespace trilane {

class Given;

/// Throws UsageError when two outputs have one file, or an output has that of an input: --force
/// replaces what is in the way, not what the run is about. Names are the same when they lead to one
/// file, whatever their spelling and through symbolic links.
void check_files(const Given& given);

}  // namespace trilane
