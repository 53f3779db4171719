// Tells the files that trilane report is given apart by their content.
#pragma once

#include <string>
#include <vector>

namespace trilane {

struct ReportFiles {
  std::string results, recording;  ///< empty if there is none
  std::string page;                ///< to be written
};

/// Reads the files that the words name: results, a recording, or both in either order, and then a
/// page, which by default gets the name of the first. Throws UsageError with the word for a file
/// that cannot be read, two of a kind, or results of another recording's replay.
ReportFiles report_files(const std::vector<std::string>& words);

}  // namespace trilane
