// Entry points that the driver and NVTX call when the application first uses them.
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <unistd.h>

#include "common/application/recorder/listening/listener.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

/// Receives the application's NVTX ranges of that name.
struct Receiver {
  Listener* listener;
  std::string name;
};
std::atomic<const Receiver*> receiver{nullptr};

/// The thread's open ranges, in the order of pushes: their number, and which of the outermost ones
/// the listener has. A trivial destructor, because another would run too early.
struct OpenRanges {
  static constexpr int most = 64;  ///< deeper ones are ignored
  int depth = 0;
  std::uint64_t taken = 0;
};
thread_local constinit OpenRanges open_ranges;

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
  const bool readable = event != nullptr && event->messageType == NVTX_MESSAGE_TYPE_ASCII;
  return readable ? event->message.ascii : nullptr;
}

int push_event(const nvtxEventAttributes_t* event) { return push(text_of(event)); }
nvtxRangeId_t start_event(const nvtxEventAttributes_t* event) { return start(text_of(event)); }
int push_in_domain(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  return push_event(event);
}
int pop_in_domain(nvtxDomainHandle_t) { return pop(); }
nvtxRangeId_t start_in_domain(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  return start_event(event);
}
void end_in_domain(nvtxDomainHandle_t, nvtxRangeId_t range) { end(range); }

template <typename Function>
void put(NvtxFunctionTable table, unsigned entries, unsigned number, Function* function) {
  if (number < entries && table[number] != nullptr)
    *table[number] = reinterpret_cast<NvtxFunctionPointer>(function);
}

// Never destroyed: threads of the application may call until the process is gone.
Listener* listener = nullptr;

/// Sets the number to that of the variable, if there is one.
template <typename Number>
void put_number(const char* name, Number& number) {
  const std::string text = environment_value(name);
  if (!text.empty()) number = static_cast<Number>(std::strtod(text.c_str(), nullptr));
}

std::string own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.empty()) return {};
  std::vector<const char*> arguments;
  for (std::size_t i = 1; i < words.size(); ++i) arguments.push_back(words[i].c_str());
  return command_line(words.front(), arguments);
}

/// Only one process is recorded: the application may start others, which inherit the environment.
bool is_the_one(RecorderStatus& page) {
  page.loaded.fetch_add(1);
  std::int32_t none = 0;
  if (page.recorded.compare_exchange_strong(none, getpid())) return true;
  page.ignored.fetch_add(1);
  return false;
}

void begin(RecorderStatus& page, const std::string& recording) {
  const std::string range = environment_value(range_variable);
  ReplaySettings replay;
  put_number(replay_seconds_variable, replay.seconds);
  put_number(replay_repeats_variable, replay.repeats);
  put_number(replay_bytes_variable, replay.most_snapshot_bytes);
  replay.skips_host_functions = !environment_value(replay_without_variable).empty();
  RecorderSettings settings{.application = own_command_line(), .range = range};
  put_number(memory_variable, settings.most_bytes);
  put_number(thread_variable, settings.thread);
  settings.with_data = !environment_value(data_variable).empty();
  listener = new Listener(page, settings, recording, environment_value(replay_variable), replay);
  if (!listener->start()) return;
  // Never destroyed either.
  if (!range.empty()) receiver.store(new Receiver{listener, range}, std::memory_order_release);
  pthread_atfork(nullptr, nullptr, [] { listener->fall_silent(); });
  // Registered after CUPTI's own handler, so that this runs before it.
  std::atexit([] { listener->finish(); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection();

/// Returns 1 always: the application runs on, recorded or not.
int InitializeInjection() {
  RecorderStatus* const page = shared_page();
  const std::string recording = environment_value(recording_variable);
  if (page == nullptr || recording.empty() || listener != nullptr || !is_the_one(*page)) return 1;
  try {
    begin(*page, recording);
  } catch (const std::exception& error) {
    note_problem(*page, RecorderProblem::failed, error.what());
  }
  return 1;
}

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t tables);

/// NVTX loads the library that NVTX_INJECTION64_PATH names, and lets it replace the empty functions
/// with its own; no other tool is needed.
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
  const auto* const callbacks =
      static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr) return 0;
  NvtxFunctionTable table = nullptr;
  unsigned entries = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &entries) == 1) {
    put(table, entries, NVTX_CBID_CORE_RangePushA, &push);
    put(table, entries, NVTX_CBID_CORE_RangePushEx, &push_event);
    put(table, entries, NVTX_CBID_CORE_RangePop, &pop);
    put(table, entries, NVTX_CBID_CORE_RangeStartA, &start);
    put(table, entries, NVTX_CBID_CORE_RangeStartEx, &start_event);
    put(table, entries, NVTX_CBID_CORE_RangeEnd, &end);
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
