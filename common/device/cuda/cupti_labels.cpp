#include "common/device/cuda/cupti_labels.hpp"

#include "common/device/cuda/cupti.hpp"

namespace trilane {

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
  for (TracedOperation& operation : records.operations) operation.label = of(operation);
  for (TracedCall& call : records.calls) call.label = of_call(call.id);
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

Label CuptiLabels::of_call(std::uint64_t call) const {
  const auto found = calls_.find(call);
  return found == calls_.end() ? Label{} : found->second;
}

Label CuptiLabels::of(const TracedOperation& operation) const {
  if (operation.graph_node == 0) return of_call(operation.call);
  const auto found = nodes_.find(operation.graph_node);
  return found == nodes_.end() ? Label{} : found->second;
}

}  // namespace trilane
