#include "common/sweep/visit_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {

void VisitProgress::start(const Visit& visit) {
  const Cell& cell = map_.cells[visit.position];
  if (announced_ == 0) {
    const bool first = cell.visits == 0;
    announced_ = static_cast<std::size_t>(std::ranges::count_if(map_.cells, [&](const Cell& other) {
      return first ? other.status == Status::not_run : is_open(other);
    }));
    shown_ = &console_.expect(announced_);
  }
  --announced_;
  seconds_ = visit.seconds;
  shown_->start(place_text(map_, cell));
}

void VisitProgress::done(const Cell& cell) {
  shown_->done(cell.status == Status::ok ? fmt::format("{}, {}", cell.winner, cell.stopped)
                                         : cell.reason);
}

}  // namespace trilane
