#include "common/application/finding/calls/look_window.hpp"

#include <algorithm>

namespace trilane {
namespace {

constexpr std::uint64_t first_calls = 64'000;

}  // namespace

LookWindow::LookWindow(CallStore& store, std::uint64_t repetitions, bool any_length)
    : store_(store), repetitions_(repetitions), calls_(any_length ? most_calls : first_calls) {
  open();
}

bool LookWindow::has(std::uint64_t calls) {
  const std::uint64_t needed = std::min(repetitions_ * calls, most_calls);
  const std::uint64_t end = store_.size();
  if (needed > calls_) {
    calls_ = std::min(needed + calls, most_calls);
    since_ = end;
    open();
  }
  const bool kept = end - store_.oldest() >= needed || end - since_ >= needed;
  waits_for_ = kept ? 0 : calls;
  due_from_ = kept ? 0 : end + calls;
  return kept;
}

}  // namespace trilane
