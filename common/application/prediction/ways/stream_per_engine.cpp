#include "common/application/prediction/ways/stream_per_engine.hpp"

#include <cuda_runtime_api.h>

#include "common/application/iteration/host_gaps.hpp"
#include "common/application/iteration/order/stretches.hpp"
#include "common/device/flavour/flavour.hpp"

namespace trilane {

StreamPerEngine::StreamPerEngine(const ApplicationRecording& recording)
    : recording_(recording),
      memory_(recording, {.allocated_once = true}),
      plan_(engine_plan(recording)),
      gaps_us_(own_gaps(recording)) {
  for (Stream& stream : streams_) stream = make_stream();
  for (const EngineStep& step : plan_) {
    if (step.needed) done_.try_emplace(step.call);
  }
}

void StreamPerEngine::run() {
  auto step = plan_.begin();
  for (std::uint32_t i = 0; i < recording_.calls.size(); ++i) {
    spend_us(gaps_us_[i]);
    if (recording_.calls[i].kind == CallKind::query) spend_us(recording_.calls[i].host_us);
    for (; step != plan_.end() && step->call == i; ++step) {
      step->operation ? issue(*step) : wait(*step);
    }
  }
}

void StreamPerEngine::issue(const EngineStep& step) const {
  const cudaStream_t stream = streams_[step.engine].get();
  for (const std::uint32_t call : step.after_calls) done_.at(call).wait_on(stream);
  enqueue(recording_.calls[step.call], memory_.operands_of(step.call), stream);
  if (step.needed) done_.at(step.call).record_on(stream);
}

void StreamPerEngine::wait(const EngineStep& step) const {
  const cudaStream_t stream = streams_[step.engine].get();
  for (const std::uint32_t engine : step.join) {
    ends_[engine].record_on(streams_[engine].get());
    ends_[engine].wait_on(stream);
  }
  check(cudaStreamSynchronize(stream));
}

}  // namespace trilane
