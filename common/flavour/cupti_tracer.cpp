// Traces of a real GPU, from CUPTI's activity records.
#include <cctype>
#include <cstdlib>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "common/flavour/cupti.hpp"
#include "common/flavour/tracer.hpp"

namespace trilane {
namespace {

/// Nanoseconds since 1970 have more digits than a double has.
std::uint64_t first_ns = 0;

double us_of(std::uint64_t ns) {
  return static_cast<double>(static_cast<std::int64_t>(ns - first_ns)) * 1e-3;
}

std::uint64_t now_ns() {
  std::uint64_t ns = 0;
  check_cupti(cupti().get_timestamp(&ns), "cuptiGetTimestamp");
  return ns;
}

constexpr std::size_t buffer_bytes = std::size_t{1} << 20, buffer_alignment = 64;
/// Without the kinds of events and of synchronisation, which come only together: with them tracing
/// hung on an H200 (CUPTI 13.0.1). Markers say when a pass began and ended instead.
constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
                                        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_RUNTIME};

/// "cudaMemcpyAsync" of "cudaMemcpyAsync_v3020" and "cudaLaunchKernel_ptsz_v7000".
std::string call_name(CUpti_CallbackId id) {
  const char* text = nullptr;
  if (cupti().get_callback_name(CUPTI_CB_DOMAIN_RUNTIME_API, id, &text) != CUPTI_SUCCESS)
    return "?";
  std::string name = text;
  for (const char* end : {"_v", "_pt"}) name = name.substr(0, name.find(end));
  return name;
}

/// "transform_each" of "_ZN7trilane12_GLOBAL__N_114transform_eachEPKjPjmjj", with its namespaces or
/// without: the last of the names that the mangled name counts out.
std::string kernel_name(const char* name) {
  const std::string mangled = name == nullptr ? "kernel" : name;
  std::string last = mangled;
  std::size_t at = mangled.find_first_of("0123456789");
  while (at != std::string::npos && at < mangled.size() && std::isdigit(mangled[at])) {
    char* rest = nullptr;
    const std::size_t length = std::strtoul(&mangled[at], &rest, 10);
    const auto start = static_cast<std::size_t>(rest - mangled.data());
    last = mangled.substr(start, length);
    at = start + length;
  }
  return last;
}

template <typename Record>
TracedOperation operation_of(const Record& record, Activity activity, std::string name) {
  return {.activity = activity,
          .name = std::move(name),
          .start_us = us_of(record.start),
          .end_us = us_of(record.end),
          .call = record.correlationId,
          .stream = record.streamId,
          .graph_node = record.graphNodeId,
          .copy_engine = record.channelType == CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY};
}

class CuptiTracer final : public Tracer {
 public:
  CuptiTracer() {
    check_cupti(cupti().subscribe(&subscriber_, &called, this), "cuptiSubscribe");
    try {
      start();
    } catch (...) {
      stop();
      throw;
    }
  }
  ~CuptiTracer() override { stop(); }

  double now_us() override { return us_of(now_ns()); }

  TraceRecords take() override {
    check_cupti(cupti().activity_flush_all(0), "cuptiActivityFlushAll");
    TraceRecords records;
    {
      const std::lock_guard lock(records_mutex_);
      records = std::exchange(records_, {});
    }
    const std::lock_guard lock(labels_mutex_);
    for (TracedOperation& operation : records.operations) operation.label = label_of(operation);
    for (TracedCall& call : records.calls) call.label = label_of(call.id);
    call_labels_.clear();
    return records;
  }

 private:
  void start() {
    check_cupti(cupti().activity_register_callbacks(&buffer_requested, &buffer_completed),
                "cuptiActivityRegisterCallbacks");
    // Whose work a record is of: calls say on entry, nodes when they are made and cloned.
    check_cupti(cupti().enable_domain(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API),
                "cuptiEnableDomain");
    for (const auto id :
         {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED}) {
      check_cupti(cupti().enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, id),
                  "cuptiEnableCallback");
    }
    for (const auto kind : kinds) check_cupti(cupti().activity_enable(kind), "cuptiActivityEnable");
    take();  // what is left of an earlier tracer
    first_ns = now_ns();
  }

  void stop() {
    for (const auto kind : kinds) cupti().activity_disable(kind);
    cupti().unsubscribe(subscriber_);
    cupti().activity_flush_all(0);
  }

  // --- labels ---------------------------------------------------------------------------------
  static void called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void* data) {
    auto& tracer = *static_cast<CuptiTracer*>(self);
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
      tracer.entered(*static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
      tracer.made(id, *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor));
    }
  }

  void entered(const CUpti_CallbackData& call) {
    if (call.callbackSite != CUPTI_API_ENTER || Labelled::current() == Label{}) return;
    const std::lock_guard lock(labels_mutex_);
    call_labels_[call.correlationId] = Labelled::current();
  }

  void made(CUpti_CallbackId id, const CUpti_GraphData& data) {
    const bool clone = id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED;
    std::uint64_t node = 0, original = 0;
    if (cupti().get_graph_node_id(data.node, &node) != CUPTI_SUCCESS) return;
    if (clone && cupti().get_graph_node_id(data.originalNode, &original) != CUPTI_SUCCESS) return;
    const std::lock_guard lock(labels_mutex_);
    node_labels_[node] = clone ? node_labels_[original] : Labelled::current();
  }

  Label label_of(std::uint64_t call) const {
    const auto found = call_labels_.find(call);
    return found == call_labels_.end() ? Label{} : found->second;
  }
  Label label_of(const TracedOperation& operation) const {
    if (operation.graph_node == 0) return label_of(operation.call);
    const auto found = node_labels_.find(operation.graph_node);
    return found == node_labels_.end() ? Label{} : found->second;
  }

  // --- records --------------------------------------------------------------------------------
  // CUPTI hands over buffers without saying whose: they go to the one tracer that lives.
  static void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes,
                                        std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
    *bytes = *buffer == nullptr ? 0 : buffer_bytes;
    *most_records = 0;
  }

  static void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream,
                                        std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    const std::lock_guard lock(records_mutex_);
    std::size_t lost = 0;
    while (valid > 0 && cupti().activity_get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
      try {
        add(*record);
      } catch (const std::bad_alloc&) {
        ++records_.lost;  // nothing may leave through CUPTI
      }
    }
    cupti().activity_get_num_dropped_records(context, stream, &lost);
    records_.lost += lost;
    std::free(buffer);
  }

  static void add(const CUpti_Activity& record) {
    switch (record.kind) {
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        return add_copy(reinterpret_cast<const CUpti_ActivityMemcpy6&>(record));
      case CUPTI_ACTIVITY_KIND_MEMSET: {
        const auto& memset = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
        records_.operations.push_back(operation_of(memset, Activity::memset, "memset"));
        records_.operations.back().bytes = memset.bytes;
        return;
      }
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
        const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
        records_.operations.push_back(
            operation_of(kernel, Activity::kernel, kernel_name(kernel.name)));
        return;
      }
      case CUPTI_ACTIVITY_KIND_RUNTIME: {
        const auto& call = reinterpret_cast<const CUpti_ActivityAPI&>(record);
        records_.calls.push_back({.id = call.correlationId,
                                  .name = call_name(call.cbid),
                                  .start_us = us_of(call.start),
                                  .end_us = us_of(call.end),
                                  .thread = call.threadId});
        return;
      }
      default: return;
    }
  }

  static void add_copy(const CUpti_ActivityMemcpy6& copy) {
    const bool out = copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    records_.operations.push_back(operation_of(copy, out ? Activity::copy_out : Activity::copy_in,
                                               out ? "copy out" : "copy in"));
    records_.operations.back().bytes = copy.bytes;
  }

  CUpti_SubscriberHandle subscriber_ = nullptr;
  // Buffers come from a thread of CUPTI's, and callbacks from any, while CUPTI may hold locks of
  // its own: who has labels_mutex_ calls nothing, and no callback takes records_mutex_.
  static inline std::mutex records_mutex_;
  static inline TraceRecords records_;
  std::mutex labels_mutex_;
  std::unordered_map<std::uint64_t, Label> call_labels_, node_labels_;
};

}  // namespace

std::unique_ptr<Tracer> start_tracing() { return std::make_unique<CuptiTracer>(); }

}  // namespace trilane
