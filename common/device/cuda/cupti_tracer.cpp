// Traces of a GPU, from CUPTI's activity records.
#include <cupti.h>

#include "common/device/cuda/cupti.hpp"

namespace trilane {
namespace {

/// The recorded kinds of activity, without events and synchronisation: with them tracing hung on an
/// H200 (CUPTI 13.0.1). Markers show the start and end of a pass instead.
constexpr CUpti_ActivityKind cupti_kinds[] = {
    CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_RUNTIME};

/// Records the label (see Labelled) of each call, and of each graph node at its creation.
class CuptiLabels {
 public:
  /// Receives CUPTI's callbacks; `self` is the CuptiLabels that records the label.
  static void called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void* data) {
    auto& labels = *static_cast<CuptiLabels*>(self);
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
      labels.entered(*static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
      labels.made(id, *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor));
    }
  }

  /// Labels the records. Forgets the calls, but not the nodes: their graph may be launched again.
  void put_on(TraceRecords& records) {
    const std::lock_guard lock(mutex_);
    for (TracedOperation& operation : records.operations) {
      operation.label = operation.graph_node == 0 ? label_of(calls_, operation.call)
                                                  : label_of(nodes_, operation.graph_node);
    }
    for (TracedCall& call : records.calls) call.label = label_of(calls_, call.id);
    calls_.clear();
  }

 private:
  using Labels = std::unordered_map<std::uint64_t, Label>;

  static Label label_of(const Labels& labels, std::uint64_t id) {
    const auto found = labels.find(id);
    return found == labels.end() ? Label{} : found->second;
  }

  void entered(const CUpti_CallbackData& call) {
    if (call.callbackSite != CUPTI_API_ENTER || Labelled::current() == Label{}) return;
    const std::lock_guard lock(mutex_);
    calls_[call.correlationId] = Labelled::current();
  }

  void made(CUpti_CallbackId id, const CUpti_GraphData& data) {
    const bool clone = id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED;
    std::uint64_t node = 0, original = 0;
    if (cupti().get_graph_node_id(data.node, &node) != CUPTI_SUCCESS) return;
    if (clone && cupti().get_graph_node_id(data.originalNode, &original) != CUPTI_SUCCESS) return;
    const std::lock_guard lock(mutex_);
    nodes_[node] = clone ? nodes_[original] : Labelled::current();
  }

  // Callbacks come on any thread, and CUPTI may hold locks: never call CUPTI while holding this.
  std::mutex mutex_;
  Labels calls_, nodes_;
};

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
    check_cupti(cupti().enable_domain(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API),
                "cuptiEnableDomain");
    for (const auto id :
         {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED}) {
      check_cupti(cupti().enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, id),
                  "cuptiEnableCallback");
    }
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
