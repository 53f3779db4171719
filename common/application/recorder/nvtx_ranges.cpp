#include "common/application/recorder/nvtx_ranges.hpp"

#include <nvtx3/nvToolsExt.h>

#include <atomic>
#include <cstdint>

namespace trilane {
namespace {

struct Receiver {
  Listener* listener;
  std::string name;
};
std::atomic<const Receiver*> receiver{nullptr};

/// The thread's open ranges, in the order of pushes: their number, and which of the outermost ones
/// the listener has. A trivial destructor, because another would run too early.
struct OpenRanges {
  static constexpr int most = 64;  ///< deeper ones are not taken
  int depth = 0;
  std::uint64_t taken = 0;
};
thread_local constinit OpenRanges open_ranges;

/// Returns true if the listener took the range.
bool begins(const char* name) {
  const Receiver* const to = receiver.load(std::memory_order_acquire);
  if (to == nullptr || name == nullptr || to->name != name) return false;
  to->listener->range_begins(name);
  return true;
}

void ends() {
  const Receiver* const to = receiver.load(std::memory_order_acquire);
  if (to != nullptr) to->listener->range_ends();
}

int push(const char* name) {
  const int depth = open_ranges.depth++;
  const std::uint64_t bit = depth < OpenRanges::most ? std::uint64_t{1} << depth : 0;
  open_ranges.taken &= ~bit;
  if (bit != 0 && begins(name)) open_ranges.taken |= bit;
  return depth;
}

int pop() {
  if (open_ranges.depth == 0) return -2;  // as NVTX without a tool
  const int depth = --open_ranges.depth;
  if (depth < OpenRanges::most && (open_ranges.taken >> depth & 1) != 0) ends();
  return depth;
}

/// A range's number says whether the listener has it.
nvtxRangeId_t start(const char* name) {
  static std::atomic<nvtxRangeId_t> last{0};
  return (last.fetch_add(1) + 1) * 2 + (begins(name) ? 1 : 0);
}

void end(nvtxRangeId_t range) {
  if (range % 2 == 1) ends();
}

const char* text_of(const nvtxEventAttributes_t* event) {
  if (event == nullptr) return nullptr;
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII: return event->message.ascii;
    default: return nullptr;
  }
}

int NVTX_API push_ascii(const char* name) { return push(name); }
int NVTX_API push_event(const nvtxEventAttributes_t* event) { return push(text_of(event)); }
int NVTX_API pop_range() { return pop(); }
nvtxRangeId_t NVTX_API start_ascii(const char* name) { return start(name); }
nvtxRangeId_t NVTX_API start_event(const nvtxEventAttributes_t* event) {
  return start(text_of(event));
}
void NVTX_API end_range(nvtxRangeId_t range) { end(range); }
int NVTX_API push_in_domain(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  return push(text_of(event));
}
int NVTX_API pop_in_domain(nvtxDomainHandle_t) { return pop(); }
nvtxRangeId_t NVTX_API start_in_domain(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  return start(text_of(event));
}
void NVTX_API end_in_domain(nvtxDomainHandle_t, nvtxRangeId_t range) { end(range); }

template <typename Function>
void put(NvtxFunctionTable table, unsigned entries, unsigned number, Function* function) {
  if (number < entries && table[number] != nullptr)
    *table[number] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

void hand_ranges_to(Listener& listener, const std::string& name) {
  receiver.store(new Receiver{&listener, name}, std::memory_order_release);
}

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t tables);

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
  const auto* const callbacks =
      static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr) return 0;
  NvtxFunctionTable table = nullptr;
  unsigned entries = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &entries) == 1) {
    put(table, entries, NVTX_CBID_CORE_RangePushA, &push_ascii);
    put(table, entries, NVTX_CBID_CORE_RangePushEx, &push_event);
    put(table, entries, NVTX_CBID_CORE_RangePop, &pop_range);
    put(table, entries, NVTX_CBID_CORE_RangeStartA, &start_ascii);
    put(table, entries, NVTX_CBID_CORE_RangeStartEx, &start_event);
    put(table, entries, NVTX_CBID_CORE_RangeEnd, &end_range);
  }
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &entries) == 1) {
    put(table, entries, NVTX_CBID_CORE2_DomainRangePushEx, &push_in_domain);
    put(table, entries, NVTX_CBID_CORE2_DomainRangePop, &pop_in_domain);
    put(table, entries, NVTX_CBID_CORE2_DomainRangeStartEx, &start_in_domain);
    put(table, entries, NVTX_CBID_CORE2_DomainRangeEnd, &end_in_domain);
  }
  return 1;
}

}  // namespace trilane
