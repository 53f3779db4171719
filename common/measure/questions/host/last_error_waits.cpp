#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::last_error_waits {

class LastErrorWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return beside_.conditions({{"cudaGetLastError", [] { check(cudaGetLastError()); }},
                               {"cudaPeekAtLastError", [] { check(cudaPeekAtLastError()); }},
                               {"cudaStreamQuery", [this] {
                                  const cudaError_t status = cudaStreamQuery(beside_.stream());
                                  if (status != cudaErrorNotReady) check(status);
                                }}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings,
                             {"cudaGetLastError", "cudaPeekAtLastError", "cudaStreamQuery"});
  }

 private:
  BesideKernel beside_;
};

const Enrolled<LastErrorWaits> enrolled(
    {.name = "last_error_waits",
     .subject = Subject::host_calls,
     .text = "Do cudaGetLastError, cudaPeekAtLastError and cudaStreamQuery wait for a kernel?",
     .claim = "cudaGetLastError after a launch waits for the kernel.",
     .meaning = "If not, checking after every launch costs next to nothing, and what goes wrong "
                "inside a kernel is reported by a later call: only a synchronising one reports it.",
     .documentation = "The programming guide says that kernel launches are asynchronous, so that "
                      "errors during execution need a synchronisation before the check."});

}  // namespace trilane::last_error_waits
