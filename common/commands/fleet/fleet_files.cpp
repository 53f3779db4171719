#include "common/commands/fleet/fleet_files.hpp"

#include "common/base/json/document.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/results/results_io.hpp"
#include "common/model/workload/parallel.hpp"

namespace trilane {
namespace {

/// The runs of one file, or the reason why it cannot be read.
struct ReadFile {
  std::vector<FleetRun> runs;
  std::vector<std::string> texts;  ///< of the runs, if they are kept
  std::vector<LeftOut> left_out;
};

void add_run(std::string text, const std::string& path, bool keeps, ReadFile& read) try {
  std::ranges::move(fleet_runs(path, from_json(text)), std::back_inserter(read.runs));
  if (keeps) read.texts.push_back(std::move(text));
} catch (const std::invalid_argument& error) {
  read.left_out.push_back({path, error.what()});
}

ReadFile read_file(const std::string& path, bool keeps) {
  ReadFile read;
  try {
    std::string text = content_of_input(path);
    auto runs = runs_of_fleet(text);
    if (!runs) {
      add_run(std::move(text), path, keeps, read);
      return read;
    }
    if (runs->empty()) read.left_out.push_back({path, "it holds no runs"});
    for (std::size_t i = 0; i < runs->size(); ++i) {
      add_run(std::move((*runs)[i]), path + "[" + std::to_string(i) + "]", keeps, read);
    }
  } catch (const std::invalid_argument& error) {
    read.left_out.push_back({path, error.what()});
  }
  return read;
}

void add(ReadFile& file, FleetFiles& all) {
  std::ranges::move(file.runs, std::back_inserter(all.runs));
  std::ranges::move(file.left_out, std::back_inserter(all.left_out));
  for (const std::string& text : file.texts) {
    if (!all.texts.empty()) all.texts += ",\n";
    all.texts.append(text, 0, text.find_last_not_of(" \t\r\n") + 1);
  }
  file = {};
}

}  // namespace

FleetFiles read_fleet_files(const char* command, const std::vector<std::string>& paths,
                            bool keeps) {
  constexpr std::size_t at_once = 32;  // so that not much is held twice
  FleetFiles all;
  for (std::size_t done = 0; done < paths.size(); done += at_once) {
    std::vector<ReadFile> files(std::min(at_once, paths.size() - done));
    in_parallel(files.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) files[i] = read_file(paths[done + i], keeps);
    });
    for (ReadFile& file : files) add(file, all);
    if (done == 0) all.texts.reserve(all.texts.size() * paths.size() / files.size() * 11 / 10);
  }
  if (all.runs.empty()) refuse(command, all.left_out[0].file, all.left_out[0].why);
  return all;
}

FleetRequest read_fleet_request(const Given& given) {
  FleetRequest request;
  request.false_alarms = given.share("false-alarms", 1e-6, 0.5).value_or(request.false_alarms);
  request.differs_from = given.share("differs-from", 0, 1).value_or(request.differs_from);
  return request;
}

}  // namespace trilane
