#include "common/measure/sweep/visit_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {

void VisitProgress::start(const Visit& visit) {
  const Cell& cell = map_.cells[visit.position];
  if (announced_ == 0) {
    announced_ = static_cast<std::size_t>(std::ranges::count_if(map_.cells, [&](const Cell& other) {
      return visits_left(map_, other) > 0 && other.visits == cell.visits;
    }));
    shown_ = &console_.expect(announced_);
  }
  --announced_;
  seconds_ = visit.seconds;
  const std::string process =
      map_.processes > 1 ? fmt::format(", process {} of {}", cell.visits + 1, map_.processes) : "";
  shown_->start(place_text(map_, cell) + process);
}

void VisitProgress::done(const Cell& cell) {
  shown_->done(cell.status == Status::ok ? fmt::format("{}, {}", cell.winner, cell.stopped)
                                         : cell.reason);
}

}  // namespace trilane
