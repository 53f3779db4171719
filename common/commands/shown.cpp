#include "common/commands/shown.hpp"

#include "common/application/iteration/recording_file.hpp"
#include "common/base/console/output_file.hpp"
#include "common/base/json/document.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/report/report.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

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

Written written_from_json(const std::string& text, const std::string& source) {
  const std::string schema = schema_of(text);
  if (schema == replies_schema.name) return replies_from_json(text);
  if (schema == loops_schema.name) return loops_from_json(text);
  if (schema == profile_schema_name) return read_profile(text, source);
  return from_json(text);
}

/// Returns what `read` makes of the file's text. `writer` is the command that writes such files.
template <typename Read>
auto load(const std::string& label, const std::string& path, const char* writer, Read read) {
  try {
    return read(content_of_input(path));
  } catch (const std::invalid_argument& error) {
    refuse(label, path, "{}; give a file that trilane {} wrote", error.what(), writer);
  }
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
  const std::string state = environment_value("XDG_STATE_HOME"), home = environment_value("HOME");
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

Results load_results(const std::string& label, const std::string& path) {
  return load(label, path, "run --json", from_json);
}

Replies load_replies(const std::string& label, const std::string& path) {
  return load(label, path, "ask --json", replies_from_json);
}

LoopResults load_loops(const std::string& label, const std::string& path) {
  return load(label, path, "loop --json", loops_from_json);
}

ApplicationRecording load_recording(const std::string& label, const std::string& path) {
  return load(label, path, "record --save", recording_from_json);
}

Written load_written(const std::string& label, const std::string& path) {
  return load(label, path, "run, ask, loop or calibrate", [&](const std::string& text) {
    return written_from_json(text, label + " " + in_quotes(path));
  });
}

}  // namespace trilane
