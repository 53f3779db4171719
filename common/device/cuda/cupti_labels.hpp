// What CUPTI's records are for: it knows calls and graph nodes, and of neither the chunk or the
// lane.
#pragma once

#include <cupti.h>

#include <mutex>
#include <unordered_map>

#include "common/device/records.hpp"

namespace trilane {

/// Notes the label (see Labelled) under which a call was entered, or a graph node made.
class CuptiLabels {
 public:
  /// A CUpti_CallbackFunc, whose `self` is the CuptiLabels to note it in.
  static void called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void* data);

  /// Has the subscriber told of runtime calls, and of nodes that are made or cloned. Throws
  /// NotPossible.
  static void enable(CUpti_SubscriberHandle subscriber);

  /// Labels the records. Calls are forgotten, nodes are not: their graph may be launched again.
  void put_on(TraceRecords& records);

 private:
  void entered(const CUpti_CallbackData& call);
  void made(CUpti_CallbackId id, const CUpti_GraphData& data);
  Label of_call(std::uint64_t call) const;
  Label of(const TracedOperation& operation) const;

  // Callbacks come from any thread, while CUPTI may hold locks of its own: who has this one calls
  // nothing of CUPTI's.
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Label> calls_, nodes_;
};

}  // namespace trilane
