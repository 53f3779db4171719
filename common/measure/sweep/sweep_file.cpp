#include "common/measure/sweep/sweep_file.hpp"

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/sweep/map/regimes.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr Schema schema{"trilane-sweep", sweep_schema_version, sweep_schema_version};

/// Returns the axis as text, with fewer digits than a file has, so that values read back are equal.
std::string text_of(const Axis& axis) {
  return fmt::format("{}={:.12g}", axis.knob, fmt::join(axis.values, ","));
}

[[noreturn]] void refuse_damaged(const std::string& path, const std::string& why) {
  throw UsageError(
      "--json {}: already exists, and is damaged or not a sweep: {}; give another "
      "name, or start over with --force",
      in_quotes(path), why);
}

std::vector<Property> identity(const RegimeMap& map) {
  std::vector<Property> all{{"the options", map.command},
                            {"the variants", fmt::format("{}", fmt::join(map.variants, ","))},
                            {"the workload", map.workload},
                            {"the columns", text_of(map.columns)},
                            {"the rows", map.rows ? text_of(*map.rows) : "none"},
                            {"the reference", map.reference},
                            {"the mode", name_of(map.mode)},
                            {"the seed", fmt::format("{}", map.seed)},
                            {"the profile", map.context.simulated},
                            {"revision", map.context.git_revision},
                            {"build type", map.context.build_type}};
  for (const char* name : {"name", "uuid", "driver_version", "cuda_driver_version"}) {
    all.emplace_back(fmt::format("the GPU's {}", name), value_of(map.context.gpu, name));
  }
  return all;
}

bool same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

std::string to_json(const RegimeMap& map) {
  RegimeMap shown = map;
  std::erase_if(shown.cells, [](const Cell& cell) { return cell.status == Status::not_run; });
  return pretty(document_of(schema, shown));
}

RegimeMap map_from_json(const std::string& text) {
  try {
    RegimeMap map = record_in<RegimeMap>(parsed(text), schema);
    std::vector<Cell> run = std::move(map.cells);
    map.cells = unrun_cells(map);
    for (Cell& cell : run) map.cells[map.position(cell.column, cell.row)] = std::move(cell);
    find_regimes(map);
    return map;
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(in_words(misfit));
  }
}

boost::json::object sweep_json_schema() { return json_schema_of<RegimeMap>(schema); }

std::optional<RegimeMap> begun_map(const std::string& path) {
  std::error_code none;
  if (path.empty() || path == "-" || !std::filesystem::is_regular_file(path, none)) {
    return std::nullopt;
  }
  try {
    return map_from_json(content_of_input(path));
  } catch (const std::invalid_argument& error) {
    refuse_damaged(path, error.what());
  }
}

void ensure_same(const RegimeMap& begun, const RegimeMap& asked, const std::string& path) {
  const std::vector<Property> old = identity(begun), now = identity(asked);
  const auto [was, is] = std::ranges::mismatch(old, now);
  if (was == old.end()) return;
  throw UsageError(
      "--json {}: the sweep in it was started with {} {}, not {}; repeat the original "
      "command, give another name, or start over with --force",
      in_quotes(path), was->first, in_quotes(was->second), in_quotes(is->second));
}

void ensure_cells_fit(const RegimeMap& begun, const SweepRequest& request,
                      const std::string& path) {
  for (const Cell& cell : begun.cells) {
    if (cell.visits == 0) continue;
    SweepPoint asked;
    try {
      asked = point_at(request, cell.column, cell.row);
    } catch (const UsageError&) {
      // unvisited cells have no workload
    }
    if (asked.kernel_time_us > 0) asked.workload.rounds = cell.workload.rounds;
    const double difference = cell.requested_kernel_us - asked.kernel_time_us;
    if (cell.workload == asked.workload && std::abs(difference) < 1e-6) continue;
    refuse_damaged(path,
                   fmt::format("the workload in column {}, row {} is not the one of that cell",
                               cell.column, cell.row));
  }
}

/// Locks the file that has this name now. If files cannot be locked, only check() protects.
bool FileLock::lock() {
  while (true) {
    held_ = OpenFile::to_read(path_);
    if (held_.lock() == Lock::taken) return false;
    struct stat named {};
    ours_.reset();
    if (stat(path_.c_str(), &named) != 0) return true;
    ours_ = named;
    if (!held_ || (fstat(held_.get(), &named) == 0 && same_file(*ours_, named))) return true;
  }
}

FileLock::FileLock(std::string path) : path_(std::move(path)) {
  if (path_ == "-") path_.clear();
  if (path_.empty() || lock()) return;
  throw UsageError(
      "--json {}: another sweep is writing it; wait until it ends, or give another name",
      in_quotes(path_));
}

void FileLock::check() const {
  struct stat named {};
  if (path_.empty() || stat(path_.c_str(), &named) != 0) return;
  if (ours_ && same_file(*ours_, named)) return;
  throw OutputError(
      "--json {}: another program has since written to it, so this sweep leaves it "
      "unchanged; run one sweep at a time, or give another name",
      in_quotes(path_));
}

void FileLock::follow() {
  struct stat named {};
  const bool is_held = ours_ && stat(path_.c_str(), &named) == 0 && same_file(*ours_, named);
  if (path_.empty() || is_held) return;
  const OpenFile before = std::move(held_);  // until the new file is locked
  if (lock()) return;
  throw OutputError(
      "--json {}: another sweep has continued it; run one sweep at a time, or give another name",
      in_quotes(path_));
}

}  // namespace trilane
