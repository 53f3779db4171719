#include "common/application/replay/operation_timer.hpp"

#include "common/base/system/process.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

/// A call that has not returned in this time waits for what is held back.
constexpr std::chrono::seconds patience{1};

double elapsed_us(const OwnEvent& from, const OwnEvent& to) {
  float ms = 0;
  TRILANE_DRIVER(cuEventElapsedTime, &ms, from.get(), to.get());
  return 1e3 * static_cast<double>(ms);
}

}  // namespace

OperationTimer::OperationTimer(std::size_t calls)
    : gate_(sizeof(std::uint32_t), true, 0), events_(calls), lengths_us_(calls) {
  if (driver().cuStreamWaitValue32 == nullptr) {
    throw NotPossible("the driver has no cuStreamWaitValue32 that a replay calls");
  }
  open(0);
  const SignalsBlocked blocked;  // in the thread, too
  guard_ = std::jthread([this](const std::stop_token& stop) { open_what_blocks(stop); });
}

void OperationTimer::open(std::uint32_t number) {
  auto& word = *reinterpret_cast<std::uint32_t*>(gate_.data());
  std::atomic_ref(word).store(number, std::memory_order_release);
}

void OperationTimer::open_what_blocks(const std::stop_token& stop) {
  std::uint32_t seen = 0;
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stopped.wait_for(lock, stop, patience, [&] { return stop.stop_requested(); })) {
    const std::uint32_t now = held_;
    if (now != 0 && now == seen) {
      blocks_ = true;
      open(std::numeric_limits<std::int32_t>::max());  // also for one that is held back just now
    }
    seen = now;
  }
}

void OperationTimer::time(std::size_t call, CUstream stream, const std::function<void()>& issue) {
  if (blocks_) return issue();
  Events& events = events_[call];
  for (OwnEvent* event : {&events.before, &events.begin, &events.end}) {
    if (*event == nullptr) *event = make_own_event(CU_EVENT_DEFAULT);
  }
  held_ = ++number_;
  TRILANE_DRIVER(cuStreamWaitValue32, stream, reinterpret_cast<CUdeviceptr>(gate_.data()), number_,
                 CU_STREAM_WAIT_VALUE_GEQ);
  try {
    TRILANE_DRIVER(cuEventRecord, events.before.get(), stream);
    TRILANE_DRIVER(cuEventRecord, events.begin.get(), stream);
    issue();
    TRILANE_DRIVER(cuEventRecord, events.end.get(), stream);
  } catch (...) {
    open(number_);
    held_ = 0;
    throw;
  }
  held_ = 0;
  open(number_);
  TRILANE_DRIVER(cuCtxSynchronize);  // or the next operation would share engines with this one
  timed_.push_back(call);
}

void OperationTimer::end_pass() {
  for (const std::size_t call : std::exchange(timed_, {})) {
    const Events& events = events_[call];
    const double us =
        elapsed_us(events.begin, events.end) - elapsed_us(events.before, events.begin);
    lengths_us_[call].push_back(std::max(0.0, us));
  }
}

DeviceLengths OperationTimer::lengths() const {
  DeviceLengths all(lengths_us_.size());
  if (blocks_) return all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!lengths_us_[i].empty()) all[i] = median(lengths_us_[i]);
  }
  return all;
}

}  // namespace trilane
