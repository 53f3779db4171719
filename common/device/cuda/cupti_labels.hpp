// Labels for CUPTI's records: CUPTI knows calls and graph nodes, but not their chunk and lane.
#pragma once

#include <cupti.h>

#include <mutex>
#include <unordered_map>

#include "common/device/flavour/records.hpp"

namespace trilane {

/// Records the label (see Labelled) of each call, and of each graph node at its creation.
class CuptiLabels {
 public:
  /// Receives CUPTI's callbacks as a CUpti_CallbackFunc; `self` is the CuptiLabels that records the
  /// label.
  static void called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void* data);

  /// Subscribes to runtime calls and to the creation and cloning of graph nodes. Throws
  /// NotPossible.
  static void enable(CUpti_SubscriberHandle subscriber);

  /// Labels the records. Forgets the calls but not the nodes, because their graph may be launched
  /// again.
  void put_on(TraceRecords& records);

 private:
  void entered(const CUpti_CallbackData& call);
  void made(CUpti_CallbackId id, const CUpti_GraphData& data);

  // Callbacks come on any thread, while CUPTI may hold its own locks: never call CUPTI while
  // holding this one.
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Label> calls_, nodes_;
};

}  // namespace trilane
