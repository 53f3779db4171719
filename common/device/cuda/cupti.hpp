// CUPTI, loaded when it is first needed: it comes with the toolkit and not with the driver, and
// everything but traces does without it.
#pragma once

#include <cupti.h>

namespace trilane {

/// The functions of CUPTI that are used here.
struct Cupti {
  decltype(&cuptiActivityDisable) activity_disable;
  decltype(&cuptiActivityEnable) activity_enable;
  decltype(&cuptiActivityFlushAll) activity_flush_all;
  decltype(&cuptiActivityGetNextRecord) activity_get_next_record;
  decltype(&cuptiActivityGetNumDroppedRecords) activity_get_num_dropped_records;
  decltype(&cuptiActivityRegisterCallbacks) activity_register_callbacks;
  decltype(&cuptiEnableCallback) enable_callback;
  decltype(&cuptiEnableDomain) enable_domain;
  decltype(&cuptiGetCallbackName) get_callback_name;
  decltype(&cuptiGetGraphNodeId) get_graph_node_id;
  decltype(&cuptiGetResultString) get_result_string;
  decltype(&cuptiGetTimestamp) get_timestamp;
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiUnsubscribe) unsubscribe;
};

/// Loads it at first use. Throws NotPossible, with the loader's reason and the way out, where it is
/// not there or lacks a function.
const Cupti& cupti();

/// Throws NotPossible with what was tried and CUPTI's words for the code, unless it is
/// CUPTI_SUCCESS.
void check_cupti(CUptiResult code, const char* what);

}  // namespace trilane
