#include "common/sweep/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "common/signals/interrupt.hpp"

namespace trilane {
namespace {

void close(Cell& cell, Status status, const std::string& reason) {
  cell.status = status;
  cell.reason = reason;
}

auto first_failed(const Cell& cell) {
  return std::ranges::find_if(
      cell.left_out, [](const Property& entry) { return entry.second.starts_with("failed"); });
}

}  // namespace

bool attempt(Cell& cell, const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Interrupted&) {
    // Given up: the cell stays as it was.
  } catch (const UsageError& error) {  // knobs contradict each other in this cell
    close(cell, Status::not_supported, error.what());
  } catch (const NotPossible& reason) {
    close(cell, Status::not_supported, reason.what());
  } catch (const std::bad_alloc&) {
    close(cell, Status::not_supported, "the host's memory ran out: sweep to smaller sizes");
  } catch (const std::exception& error) {
    close(cell, Status::failed, error.what());
  }
  return false;
}

std::string failure_in(const Cell& cell) {
  const auto failed = first_failed(cell);
  return failed == cell.left_out.end() ? cell.reason : failed->first + " " + failed->second;
}

std::string loss_text(const RegimeMap& map, const Cell& cell, bool resumable) {
  const auto left = std::ranges::count(map.cells, Status::not_run, &Cell::status);
  std::string text = fmt::format("{}: {}: this leaves the GPU unusable for the process",
                                 place_text(map, cell), failure_in(cell));
  if (left == 0) return text;
  return text + fmt::format(", and {} of {} {}s were not run; {}", left, map.cells.size(),
                            noun_of(map),
                            resumable ? "the same command resumes with them"
                                      : "with --json FILE the same command could resume with them");
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
