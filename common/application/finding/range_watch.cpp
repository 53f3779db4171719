#include "common/application/finding/range_watch.hpp"

namespace trilane {
namespace {

struct OpenRanges {
  const void* watch = nullptr;  ///< the owner of the other members
  int open = 0;
  int iteration = 0;  ///< number of ranges open once the iteration's is; 0: it is not open
  double begun_us = 0;
};
thread_local OpenRanges ranges;

OpenRanges& ranges_of(const void* watch) {
  if (ranges.watch != watch) ranges = {.watch = watch};
  return ranges;
}

}  // namespace

bool RangeWatch::begins(const char* name, double now_us) {
  OpenRanges& mine = ranges_of(this);
  ++mine.open;
  if (mine.iteration != 0 || name == nullptr || name != name_) return false;
  const void* none = nullptr;
  if (!thread_.compare_exchange_strong(none, &mine) && none != &mine) return false;
  mine.iteration = mine.open;
  mine.begun_us = now_us;
  return true;
}

std::optional<double> RangeWatch::ends() {
  OpenRanges& mine = ranges_of(this);
  if (mine.open == 0) return std::nullopt;  // begun before recording started
  const bool ended = mine.open-- == mine.iteration;
  if (!ended) return std::nullopt;
  mine.iteration = 0;
  return mine.begun_us;
}

}  // namespace trilane
