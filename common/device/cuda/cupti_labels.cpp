#include "common/device/cuda/cupti_labels.hpp"

#include "common/device/cuda/cupti.hpp"

namespace trilane {

namespace {

Label label_of(const std::unordered_map<std::uint64_t, Label>& labels, std::uint64_t id) {
  const auto found = labels.find(id);
  return found == labels.end() ? Label{} : found->second;
}

}  // namespace

void CuptiLabels::called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* data) {
  auto& labels = *static_cast<CuptiLabels*>(self);
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    labels.entered(*static_cast<const CUpti_CallbackData*>(data));
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
    labels.made(id, *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor));
  }
}

void CuptiLabels::enable(CUpti_SubscriberHandle subscriber) {
  check_cupti(cupti().enable_domain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API),
              "cuptiEnableDomain");
  for (const auto id :
       {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED}) {
    check_cupti(cupti().enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id),
                "cuptiEnableCallback");
  }
}

void CuptiLabels::put_on(TraceRecords& records) {
  const std::lock_guard lock(mutex_);
  for (TracedOperation& operation : records.operations) {
    operation.label = operation.graph_node == 0 ? label_of(calls_, operation.call)
                                                : label_of(nodes_, operation.graph_node);
  }
  for (TracedCall& call : records.calls) call.label = label_of(calls_, call.id);
  calls_.clear();
}

void CuptiLabels::entered(const CUpti_CallbackData& call) {
  if (call.callbackSite != CUPTI_API_ENTER || Labelled::current() == Label{}) return;
  const std::lock_guard lock(mutex_);
  calls_[call.correlationId] = Labelled::current();
}

void CuptiLabels::made(CUpti_CallbackId id, const CUpti_GraphData& data) {
  const bool clone = id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED;
  std::uint64_t node = 0, original = 0;
  if (cupti().get_graph_node_id(data.node, &node) != CUPTI_SUCCESS) return;
  if (clone && cupti().get_graph_node_id(data.originalNode, &original) != CUPTI_SUCCESS) return;
  const std::lock_guard lock(mutex_);
  nodes_[node] = clone ? nodes_[original] : Labelled::current();
}

}  // namespace trilane
