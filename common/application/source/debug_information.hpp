// Where the machine code of a program or library comes from, and so the calls of a recording.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/base/text/elf_reader.hpp"

namespace trilane {

struct SourcePlace {
  std::string function{};  ///< qualified, without parameters; empty: unknown
  std::string file{};      ///< empty: unknown
  std::uint32_t line = 0;  ///< 0: unknown
};

/// Reads the debug information in a file by libdw, which is loaded at run time. Without libdw or
/// debug information it reads the table of symbols, once it is needed.
class DebugInformation {
 public:
  /// `module`: the path of an ELF file. Finds nothing in it if it cannot be read.
  explicit DebugInformation(const std::string& module);
  ~DebugInformation();

  /// Returns the function that holds the offset, and then those inlined there, each with its line.
  std::vector<SourcePlace> at(std::uint64_t offset);

 private:
  class Lines;

  const std::string module_;
  std::unique_ptr<const Lines> lines_;
  std::optional<std::vector<ElfReader::Symbol>> functions_;  ///< of the table of symbols
};

/// Completes the recording's call stacks from the files of the application's modules: functions,
/// files and lines, with a frame for each inlined function, and which of them are the user's own.
/// Removes the folders of all paths unless `with_paths`.
void resolve_source(ApplicationRecording& recording, bool with_paths);

}  // namespace trilane
