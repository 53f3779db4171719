#include "common/device/cuda/cupti.hpp"

#include <cuda_runtime_api.h>

#include <cctype>

#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

[[noreturn]] void give_up(const std::string& reason) {
  throw NotPossible(
      "tracing is unavailable: {}; CUPTI comes with the CUDA Toolkit: add its folder "
      "to LD_LIBRARY_PATH",
      reason);
}

/// Returns the library's name, for the loader's search, and the paths where toolkits install it.
std::vector<std::string> places() {
  const std::string name = fmt::format("libcupti.so.{}", CUDART_VERSION / 1000);
  const char* home = std::getenv("CUDA_HOME");
  const std::string toolkit = home == nullptr ? "/usr/local/cuda" : home;
  return {name, toolkit + "/extras/CUPTI/lib64/" + name, toolkit + "/lib64/" + name,
          toolkit + "/lib/" + name};
}

/// Throws NotPossible if it does not load, so that the next call tries again.
Library opened() {
  Library library(places());
  if (!library) give_up(library.reason());
  return library;
}

std::uint64_t now_ns() {
  std::uint64_t ns = 0;
  check_cupti(cupti().get_timestamp(&ns), "cuptiGetTimestamp");
  return ns;
}

/// Returns microseconds since the first time, because a double cannot hold nanoseconds since 1970.
double us_of(std::uint64_t ns) {
  static const std::uint64_t first = now_ns();
  return static_cast<double>(static_cast<std::int64_t>(ns - first)) * 1e-3;
}

/// Returns "cudaLaunchKernel" for "cudaLaunchKernel_ptsz_v7000".
std::string call_name(CUpti_CallbackId id) {
  const char* text = nullptr;
  if (cupti().get_callback_name(CUPTI_CB_DOMAIN_RUNTIME_API, id, &text) != CUPTI_SUCCESS)
    return "?";
  std::string name = text;
  for (const char* end : {"_v", "_pt"}) name = name.substr(0, name.find(end));
  return name;
}

/// Returns "transform_each" for "_ZN7trilane12_GLOBAL__N_114transform_eachEPKjPjmjj": the last
/// identifier in a mangled name, in which each follows its length.
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
void add_operation(TraceRecords& records, const CUpti_Activity& untyped, Activity activity) {
  const auto& record = reinterpret_cast<const Record&>(untyped);
  std::string name = name_of(activity);
  std::uint64_t bytes = 0;
  if constexpr (requires { record.name; }) name = kernel_name(record.name);
  if constexpr (requires { record.bytes; }) bytes = record.bytes;
  records.operations.push_back(
      {.activity = activity,
       .name = std::move(name),
       .start_us = us_of(record.start),
       .end_us = us_of(record.end),
       .bytes = bytes,
       .call = record.correlationId,
       .stream = record.streamId,
       .graph_node = record.graphNodeId,
       .copy_engine = record.channelType == CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY});
}

void add_call(TraceRecords& records, const CUpti_ActivityAPI& call) {
  records.calls.push_back({.id = call.correlationId,
                           .name = call_name(call.cbid),
                           .start_us = us_of(call.start),
                           .end_us = us_of(call.end),
                           .thread = call.threadId});
}

void add(TraceRecords& records, const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto kind = reinterpret_cast<const CUpti_ActivityMemcpy6&>(record).copyKind;
      const bool out = kind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
      return add_operation<CUpti_ActivityMemcpy6>(records, record,
                                                  out ? Activity::copy_out : Activity::copy_in);
    }
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return add_operation<CUpti_ActivityMemset4>(records, record, Activity::memset);
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return add_operation<CUpti_ActivityKernel10>(records, record, Activity::kernel);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return add_call(records, reinterpret_cast<const CUpti_ActivityAPI&>(record));
    default: return;
  }
}

// Guards `received`: CUPTI delivers buffers on its own thread.
std::mutex mutex;
TraceRecords received;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20, buffer_alignment = 64;

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes,
                               std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;
}

void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  const std::lock_guard lock(mutex);
  std::size_t lost = 0;
  while (valid > 0 && cupti().activity_get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    try {
      add(received, *record);
    } catch (const std::bad_alloc&) {
      ++received.lost;  // no exception may pass through CUPTI
    }
  }
  cupti().activity_get_num_dropped_records(context, stream, &lost);
  received.lost += lost;
  std::free(buffer);
}

}  // namespace

FoundFunction cupti_function(const char* name) {
  // Never unloaded: the driver may call into it until the process ends.
  static const Library library = opened();
  const FoundFunction function = library.function(name);
  if (function.address == nullptr) give_up(fmt::format("this libcupti has no {}", name));
  return function;
}

const Cupti& cupti() {
  static const Cupti loaded;
  return loaded;
}

void check_cupti(CUptiResult code, const char* what) {
  if (code == CUPTI_SUCCESS) return;
  const char* words = nullptr;
  cupti().get_result_string(code, &words);
  throw NotPossible("tracing is unavailable: {}: {} (CUPTI error {})", what,
                    words == nullptr ? "unknown" : words, static_cast<int>(code));
}

double cupti_now_us() { return us_of(now_ns()); }

void receive_cupti_records() {
  check_cupti(cupti().activity_register_callbacks(&buffer_requested, &buffer_completed),
              "cuptiActivityRegisterCallbacks");
}

TraceRecords take_cupti_records() {
  check_cupti(cupti().activity_flush_all(0), "cuptiActivityFlushAll");
  const std::lock_guard lock(mutex);
  return std::exchange(received, {});
}

}  // namespace trilane
