// CUPTI, loaded at first use, because only traces need it, and its records as TraceRecords.
#pragma once

#include <cupti.h>

#include "common/base/system/library.hpp"
#include "common/device/flavour/tracer.hpp"

namespace trilane {

/// Loads CUPTI at first use. Throws NotPossible with reason and remedy, also without the function.
FoundFunction cupti_function(const char* name);

/// The CUPTI functions used here.
struct Cupti {
  decltype(&cuptiActivityDisable) activity_disable = cupti_function("cuptiActivityDisable");
  decltype(&cuptiActivityEnable) activity_enable = cupti_function("cuptiActivityEnable");
  decltype(&cuptiActivityFlushAll) activity_flush_all = cupti_function("cuptiActivityFlushAll");
  decltype(&cuptiActivityGetNextRecord) activity_get_next_record =
      cupti_function("cuptiActivityGetNextRecord");
  decltype(&cuptiActivityGetNumDroppedRecords) activity_get_num_dropped_records =
      cupti_function("cuptiActivityGetNumDroppedRecords");
  decltype(&cuptiActivityRegisterCallbacks) activity_register_callbacks =
      cupti_function("cuptiActivityRegisterCallbacks");
  decltype(&cuptiEnableCallback) enable_callback = cupti_function("cuptiEnableCallback");
  decltype(&cuptiEnableDomain) enable_domain = cupti_function("cuptiEnableDomain");
  decltype(&cuptiFinalize) finalize = cupti_function("cuptiFinalize");
  decltype(&cuptiGetCallbackName) get_callback_name = cupti_function("cuptiGetCallbackName");
  decltype(&cuptiGetGraphNodeId) get_graph_node_id = cupti_function("cuptiGetGraphNodeId");
  decltype(&cuptiGetResultString) get_result_string = cupti_function("cuptiGetResultString");
  decltype(&cuptiGetTimestamp) get_timestamp = cupti_function("cuptiGetTimestamp");
  decltype(&cuptiSubscribe) subscribe = cupti_function("cuptiSubscribe");
  decltype(&cuptiUnsubscribe) unsubscribe = cupti_function("cuptiUnsubscribe");
};

/// Returns all of them, loaded at first use. Throws NotPossible as cupti_function() does.
const Cupti& cupti();

/// Throws NotPossible with `what` and CUPTI's description unless `code` is CUPTI_SUCCESS.
void check_cupti(CUptiResult code, const char* what);

/// Returns microseconds on CUPTI's clock since the first call. Throws NotPossible.
double cupti_now_us();

/// Registers for CUPTI's records. Throws NotPossible.
void receive_cupti_records();

/// Returns the records since the last call, without labels. They are of the one living tracer,
/// because CUPTI's buffers do not name a subscriber. Times are on the clock of
/// cupti_now_us(), which must have been called before. Throws NotPossible.
TraceRecords take_cupti_records();

}  // namespace trilane
