#include "common/sweep/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {
namespace {

auto first_failed(const Cell& cell) {
  return std::ranges::find_if(
      cell.left_out, [](const Property& entry) { return entry.second.starts_with("failed"); });
}

}  // namespace

std::string failure_in(const Cell& cell) {
  const auto failed = first_failed(cell);
  return failed == cell.left_out.end() ? cell.reason : failed->first + " " + failed->second;
}

std::string loss_text(const RegimeMap& map, const Cell& cell, bool resumable) {
  const auto left = std::ranges::count(map.cells, Status::not_run, &Cell::status);
  std::string text = fmt::format("{}: {}: this leaves the GPU unusable for the process",
                                 place_text(map, cell), failure_in(cell));
  if (left == 0) return text;
  return text + fmt::format(", and {} of {} cells were not run; {}", left, map.cells.size(),
                            resumable ? "the same command goes on with them"
                                      : "with --json FILE the same command could go on with them");
}

ExitCode exit_code_of(const RegimeMap& map) {
  bool anything = false;
  for (const Cell& cell : map.cells) {
    if (cell.status == Status::failed || first_failed(cell) != cell.left_out.end())
      return exit_wrong;
    anything |= cell.status == Status::ok;
  }
  return anything ? exit_ok : exit_not_possible;
}

}  // namespace trilane
