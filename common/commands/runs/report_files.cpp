#include "common/commands/runs/report_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/runs/written.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

using Member = std::string ReportFiles::*;

/// Returns the member that the word belongs to. The first one names a file to read in any case.
Member member_for(const std::string& word, bool first) {
  std::string text;
  try {
    text = content_of_input(word);
  } catch (const std::invalid_argument&) {
    // a page to be written, or a first file, whose reader says what is wrong
  }
  if (is_recording(text)) return &ReportFiles::recording;
  return first || is_results(text) ? &ReportFiles::results : &ReportFiles::page;
}

ReportFiles named_by(const std::vector<std::string>& words) {
  ReportFiles named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const Member member = member_for(word, i == 0);
    if (!(named.*member).empty()) {
      refuse("report", word,
             member == &ReportFiles::page
                 ? fmt::format("holds neither results nor a recording, and the page is {}; name "
                               "one page",
                               in_quotes(named.page))
                 : fmt::format("holds what {} does; name one recording and its results",
                               in_quotes(named.*member)));
    }
    if (!named.page.empty()) refuse("report", named.page, "is the page; name it last");
    named.*member = word;
  }
  if (named.page.empty())
    named.page = std::filesystem::path(words.front()).replace_extension(".html");
  return named;
}

/// Throws UsageError unless the results are those of the recorded application's replay.
void check_same_application(const ReportFiles& named, const Results& results,
                            const ApplicationRecording& recording) {
  for (const Comparison& comparison : results.comparisons) {
    const auto& recorded = comparison.workload.application;
    if (!recorded) {
      refuse("report", named.results,
             "is of no replay; name what trilane record --results wrote, or leave out the "
             "recording");
    }
    if (recorded->calls == recording.calls.size() &&
        recording.application.starts_with(comparison.workload.name)) {
      continue;
    }
    refuse("report", named.results,
           fmt::format("is of {}, {}, and {} of {}, {}; name the two files of one trilane record",
                       in_quotes(comparison.workload.name), counted(recorded->calls, "call"),
                       in_quotes(named.recording), in_quotes(recording.application),
                       counted(recording.calls.size(), "call")));
  }
}

}  // namespace

ReportFiles report_files(const std::vector<std::string>& words) {
  ReportFiles files = named_by(words);
  Results results;
  if (!files.results.empty()) results = load_results("report", files.results);
  if (!files.recording.empty()) {
    check_same_application(files, results, load_recording("report", files.recording));
  }
  return files;
}

}  // namespace trilane
