// A notification: one way in which the host learns that a lane is done.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/text/enumerators.hpp"
#include "common/measure/loop/bench/watchdog.hpp"
#include "common/model/workload/wait.hpp"

namespace trilane {

/// The host threads that a notification needs.
enum class Staff {
  one_thread,       ///< waits for all lanes at once
  thread_per_lane,  ///< each waits for its own lane
};
BOOST_DESCRIBE_ENUM(Staff, one_thread, thread_per_lane)
/// Returns "one thread", "a thread per lane".
constexpr const char* name_of(Staff staff) {
  return staff == Staff::thread_per_lane ? "a thread per lane" : words_of_name(staff);
}

/// The constructor gets the lanes' streams and sets up the notification. One thread marks and
/// awaits a given lane; different lanes may have different threads.
class Teller {
 public:
  Teller() = default;
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;
  virtual ~Teller() = default;

  /// Enqueues the notification behind the lane's work.
  virtual void mark(std::uint32_t lane) = 0;

  /// Waits until one of `lanes`, which must be marked, is done, and returns it. The host may then
  /// read its result and write its parameters. Throws CudaError and, from `watchdog`, NeverTold.
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

/// Returns all notifications of this program, in the order of CMakeLists.txt.
std::vector<TellerEntry>& tellers();

/// The texts of a notification, for EnrolledTeller.
struct TellerTexts {
  const char* name;
  const char* summary;
  Staff staff = Staff::one_thread;
  Wait wait = Wait::spin;
  const char* not_modelled = "";
};

/// Enrols the class `T`. Put one at the end of a notification's file.
template <typename T>
struct EnrolledTeller {
  explicit EnrolledTeller(const TellerTexts& texts) {
    tellers().push_back(
        {texts.name, texts.summary, texts.staff, texts.wait, texts.not_modelled,
         [](const std::vector<cudaStream_t>& streams) { return std::make_unique<T>(streams); }});
  }
};

}  // namespace trilane
