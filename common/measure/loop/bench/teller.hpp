// A teller: one way in which the host learns that a lane is done.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/measure/loop/bench/watchdog.hpp"
#include "common/model/workload/wait.hpp"

namespace trilane {

/// The host threads that a teller needs.
enum class Staff {
  one_thread,       ///< waits for all lanes at once
  thread_per_lane,  ///< each waits for its own lane
};

/// "one thread", "a thread per lane".
constexpr const char* name_of(Staff staff) {
  switch (staff) {
    case Staff::one_thread: return "one thread";
    case Staff::thread_per_lane: return "a thread per lane";
  }
  return "";
}

/// The constructor gets the lanes' streams and sets up what the teller needs. Each lane is marked
/// and waited for by one thread; different lanes may be by different threads.
class Teller {
 public:
  Teller() = default;
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;
  virtual ~Teller() = default;

  /// Enqueues behind the lane's work what tells the host that it is done.
  virtual void mark(std::uint32_t lane) = 0;

  /// Waits until one of `lanes`, which are marked, is done, and returns it: then the host may read
  /// its result and write its parameters. Throws CudaError and, from `watchdog`, NeverTold.
  virtual std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) = 0;
};

/// A registry entry.
struct TellerEntry {
  std::string name;     ///< "event_polled"
  std::string summary;  ///< "one thread polls cudaEventQuery"
  Staff staff;
  Wait wait;                 ///< how synchronising calls wait meanwhile
  std::string not_modelled;  ///< what the simulated device lacks for it; empty if nothing
  std::function<std::unique_ptr<Teller>(const std::vector<cudaStream_t>&)> make;
};

/// All tellers of this program, in the order of CMakeLists.txt.
std::vector<TellerEntry>& tellers();

/// The texts of a teller, for EnrolledTeller.
struct TellerTexts {
  const char* name;
  const char* summary;
  Staff staff = Staff::one_thread;
  Wait wait = Wait::spin;
  const char* not_modelled = "";
};

/// Put one at the end of a teller's file; it enrols the class `T`.
template <typename T>
struct EnrolledTeller {
  explicit EnrolledTeller(const TellerTexts& texts) {
    tellers().push_back(
        {texts.name, texts.summary, texts.staff, texts.wait, texts.not_modelled,
         [](const std::vector<cudaStream_t>& streams) { return std::make_unique<T>(streams); }});
  }
};

}  // namespace trilane
