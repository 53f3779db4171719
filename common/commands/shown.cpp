#include "common/commands/shown.hpp"

#include "common/base/console/output_file.hpp"
#include "common/base/text/quoting.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/report/report.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Returns the path as a word of a command to show, "FILE" for a long one.
std::string file_in_words(const std::string& path) {
  constexpr std::size_t longest = 24;
  const std::string word = printable(path);
  return word.size() > longest ? "FILE" : word;
}

std::string more_of(const Results& results, const std::string& file) {
  if (file == "-") return "";
  if (file.empty() && last_results_path().empty()) return "--json FILE keeps the results";
  const bool recorded = std::ranges::any_of(results.comparisons, [](const Comparison& c) {
    return c.workload.origin() == Origin::recording;
  });
  if (recorded) {
    return fmt::format("trilane show {} --all, trilane report RECORDING {}", printable(file),
                       printable(file));
  }
  const char* const program = results.context.simulated.empty() ? "trilane" : "trilane-sim";
  return fmt::format("{} show {}[PRESET] --bounds, --setup, --all or --timeline", program,
                     file.empty() ? "" : printable(file) + ' ');
}

}  // namespace

std::string shown(const Page& page, const ShowOptions& options) {
  return options.markdown ? as_markdown(page) : as_text(page);
}

std::string screen_of(const Results& results, const std::string& file, const ShowOptions& options) {
  return shown(options.quiet ? answers_page(results) : screen_page(results, more_of(results, file)),
               options);
}

std::string more_on(const std::string& recording, const std::string& results, bool pipeline) {
  const std::string file = file_in_words(recording);
  return fmt::format("{} diagnose {} --all, --calls{}; trilane report {}{}",
                     profile_in_use() ? "trilane-sim" : "trilane", file,
                     pipeline ? ", --races or --as-pipeline FILE" : " or --races", file,
                     results.empty() ? "" : " " + file_in_words(results));
}

std::string last_results_path() {
  const std::string state = variable("XDG_STATE_HOME"), home = variable("HOME");
  if (fs::path(state).is_absolute()) return fs::path(state) / "trilane/last.json";
  if (fs::path(home).is_absolute()) return fs::path(home) / ".local/state/trilane/last.json";
  return "";
}

void keep_last_results(const Results& results) noexcept try {
  const std::string path = last_results_path();
  if (path.empty()) return;
  fs::create_directories(fs::path(path).parent_path());
  OutputFile("the last results", path, true).write(to_json(results));
} catch (const std::exception&) {
  // Without them trilane show needs --json.
}

}  // namespace trilane
