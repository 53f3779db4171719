// CUPTI, loaded at first use: it comes with the toolkit, and only traces need it.
#pragma once

#include <cupti.h>

namespace trilane {

/// The CUPTI functions that are used here.
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

/// Loads CUPTI at first use. Throws NotPossible with the reason and a remedy if it cannot.
const Cupti& cupti();

/// Throws NotPossible with `what` and CUPTI's description unless `code` is CUPTI_SUCCESS.
void check_cupti(CUptiResult code, const char* what);

}  // namespace trilane
