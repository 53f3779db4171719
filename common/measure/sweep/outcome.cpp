#include "common/measure/sweep/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <tuple>

#include "common/base/console/interrupt.hpp"
#include "common/measure/rounds/harness.hpp"

namespace trilane {
namespace {

/// Returns the first variant with that status.
auto first_left_out(const Cell& cell, Status status) {
  return std::ranges::find_if(cell.left_out, [&](const Property& entry) {
    return entry.second.starts_with(name_of(status));
  });
}

/// Returns true if the cell has that status, or a variant in it.
bool has(const Cell& cell, Status status) {
  return cell.status == status || first_left_out(cell, status) != cell.left_out.end();
}

}  // namespace

bool attempt(Cell& cell, const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Interrupted&) {
    // Interrupted: the cell stays as it was.
  } catch (const UsageError& error) {  // knobs contradict each other in this cell
    cell.status = Status::not_supported;
    cell.reason = error.what();
  } catch (const std::bad_alloc&) {
    cell.status = Status::out_of_memory;
    cell.reason = "the host ran out of memory: sweep to smaller sizes";
  } catch (...) {
    std::tie(cell.status, cell.reason) = failure_of(std::current_exception());
  }
  return false;
}

std::string failure_in(const Cell& cell) {
  const auto failed = first_left_out(cell, Status::failed);
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
  bool anything = false, out_of_memory = false;
  for (const Cell& cell : map.cells) {
    if (has(cell, Status::failed)) return exit_wrong;
    anything |= cell.status == Status::ok;
    out_of_memory |= has(cell, Status::out_of_memory);
  }
  return anything && !out_of_memory ? exit_ok : exit_not_possible;
}

}  // namespace trilane
