// Hands the calls that this program makes to the simulated runtime to a recorder. The linker puts
// the listener's functions in front of the runtime's: --wrap in tests/CMakeLists.txt.
#pragma once

#include <boost/core/noncopyable.hpp>

#include "common/application/finding/application_recorder.hpp"
#include "common/model/workload/workload.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// Listens while an instance exists; one at a time. Only kernels of kernels/transform.hpp have
/// parameters, because the simulated runtime does not know the sizes of others. Batches of copies
/// and captured calls are not heard.
class CallListener : boost::noncopyable, Surroundings {
 public:
  explicit CallListener(RecorderSettings settings);
  ~CallListener() override;

  /// Returns the number of a function, by its name.
  static std::uint32_t number_of(const std::string& function);

  ApplicationRecorder recorder;

 private:
  KernelFacts kernel(std::uint64_t function) override;
  RecordedStream stream(std::uint64_t handle) override;
  MemoryFacts memory(std::uint64_t address) override;
  std::string driver_name(std::uint32_t function) override;
  std::string runtime_name(std::uint32_t function) override { return driver_name(function); }
};

/// A recording of twelve passes of a variant, with a wait after each.
struct RecordedPasses {
  static constexpr int count = 12;
  ApplicationRecording recording;
  std::vector<std::string> calls;  ///< of the last pass, as the machine counts them
};
RecordedPasses recorded_passes(const std::string& variant, const Workload& workload,
                               RecorderSettings settings);

}  // namespace trilane
