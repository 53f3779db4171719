// May a host function call the runtime?
#include <fmt/format.h>

#include "common/ask/question/question.hpp"
#include "common/gpu/runtime/handles.hpp"

namespace trilane {
namespace {

constexpr const char *query = "error of cudaStreamQuery inside",
                     *record = "error of cudaEventRecord inside",
                     *outside = "error of cudaStreamQuery outside";

class CallsRuntime : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto ask = [this] { return static_cast<double>(cudaStreamQuery(other_.get())); };
    const auto write = [this] {
      return static_cast<double>(cudaEventRecord(event_.get(), other_.get()));
    };
    return {{query, [this, ask] { return inside(ask); }, Quantity::count, {ask}},
            {record, [this, write] { return inside(write); }, Quantity::count, {write}},
            {outside, ask, Quantity::count}};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const auto& [call, condition] :
         {std::pair{"cudaStreamQuery", query}, std::pair{"cudaEventRecord", record}}) {
      const auto error = static_cast<cudaError_t>(static_cast<int>(r.at(condition, 1)));
      conclusion.add(call, error == cudaSuccess,
                     fmt::format("{} inside one returns {}", call, cudaGetErrorName(error)));
    }
    return conclusion;
  }

 private:
  /// What `call` returns inside a host function.
  double inside(const std::function<double()>& call) {
    struct Sent {
      const std::function<double()>& call;
      double result = -1;
    } sent{call};
    check(cudaLaunchHostFunc(
        stream_.get(),
        [](void* data) { static_cast<Sent*>(data)->result = static_cast<Sent*>(data)->call(); },
        &sent));
    check(cudaStreamSynchronize(stream_.get()));
    cudaGetLastError();  // the refused call's
    return sent.result;
  }

  Stream stream_ = make_stream(), other_ = make_stream();
  Event event_ = make_ordering_event();
};

const Enrolled<CallsRuntime> enrolled(
    {.name = "host_function_calls",
     .subject = Subject::host_functions,
     .text = "May a host function call the runtime?",
     .claim = "A host function may start the next asynchronous copy or kernel.",
     .meaning = "A host function can only tell another thread to copy or launch: set a flag, or "
                "wake a dispatcher.",
     .documentation = "The runtime's reference forbids calls to the runtime and the driver in host "
                      "functions."});

}  // namespace
}  // namespace trilane
