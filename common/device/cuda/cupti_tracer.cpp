// Traces of a GPU, from CUPTI's activity records.
#include "common/device/cuda/cupti.hpp"
#include "common/device/cuda/cupti_labels.hpp"
#include "common/device/cuda/cupti_records.hpp"
#include "common/device/flavour/tracer.hpp"

namespace trilane {
namespace {

class CuptiTracer final : public Tracer {
 public:
  CuptiTracer() {
    cupti_now_us();  // starts the clock
    check_cupti(cupti().subscribe(&subscriber_, &CuptiLabels::called, &labels_), "cuptiSubscribe");
    try {
      start();
    } catch (...) {
      stop();
      throw;
    }
  }
  ~CuptiTracer() override { stop(); }

  double now_us() override { return cupti_now_us(); }

  TraceRecords take() override {
    TraceRecords records = take_cupti_records();
    labels_.put_on(records);
    return records;
  }

 private:
  void start() {
    receive_cupti_records();
    CuptiLabels::enable(subscriber_);
    for (const auto kind : cupti_kinds) {
      check_cupti(cupti().activity_enable(kind), "cuptiActivityEnable");
    }
    take();  // discards records of an earlier tracer
  }

  void stop() {
    for (const auto kind : cupti_kinds) cupti().activity_disable(kind);
    cupti().unsubscribe(subscriber_);
    cupti().activity_flush_all(0);
  }

  CuptiLabels labels_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

}  // namespace

std::unique_ptr<Tracer> start_tracing() { return std::make_unique<CuptiTracer>(); }

void ensure_tracing() { cupti(); }

}  // namespace trilane
