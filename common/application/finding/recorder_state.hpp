// The state of ApplicationRecorder while every call is handed over. Locked by its caller.
#pragma once

#include "common/application/finding/call_describer.hpp"
#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/finding/call_store.hpp"
#include "common/application/finding/digest.hpp"
#include "common/application/finding/handle_facts.hpp"
#include "common/application/finding/issuing_threads.hpp"
#include "common/application/finding/iteration_finder.hpp"
#include "common/application/finding/similar_steps.hpp"
#include "common/application/iteration/memory_map.hpp"

namespace trilane {

struct RecorderSettings {
  std::string application = {};   ///< its command line
  std::string range = {};         ///< NVTX range that is the iteration; empty: the repeating calls
                                  ///< are
  std::uint32_t repetitions = 5;  ///< equal iterations before one counts as found
  std::uint32_t confirmed = 5;    ///< further ones before only its end is watched
  /// Iterations with device times; the first of them only starts the tracer.
  std::uint32_t traced = 6;
  /// Limit of what is kept of calls, in bytes; copies of graphs have the same on the device.
  std::uint64_t most_bytes = std::uint64_t{512} << 20;
  bool with_data = false;  ///< the recording gets ApplicationRecording::data
  /// The only thread whose calls are recorded, from 1 in the order of first calls; 0: each is, or
  /// the one whose own calls repeat.
  std::uint32_t thread = 0;
};

/// The listener's task from now on.
enum class ListeningStage : std::uint8_t {
  search,   ///< hands over every call until an iteration is found
  confirm,  ///< the same, and measures the runtime's time: TimeBefore::outside_us
  trace,    ///< hands over every call, and takes device times
  watch,    ///< hands over only calls that may end an iteration, see ending_function()
};

class RecorderState {
 public:
  RecorderState(Surroundings& surroundings, RecorderSettings settings);

  /// Takes a call. Returns true if it ended an iteration that was being followed.
  bool take(const ObservedCall& call);
  /// Takes a call of which little was read, while glances().
  void glance(const CallGlance& call);
  /// Returns true if a glance at a call is enough.
  bool glances() const { return glances_; }
  /// Takes only what an allocation or a free says of memory.
  void take_memory(const ObservedCall& call) { memory_.note(call); }
  /// Takes the beginning, or the end, of the range that is the iteration.
  void range_begins() { range_first_ = store_.size(); }
  void range_ended(double start_us, double end_us);
  void take(std::span<const DeviceTime> times);
  void take(const ListeningCosts& costs) { listening_ = costs; }
  /// Adds another repetition while the iteration is watched.
  void also_seen(const ObservedIteration& iteration);

  void capture_ended(const ObservedCapture& capture) { captures_.ended(capture, threads_); }
  void capture_noted(const ObservedCaptureCall& call) { captures_.noted(call, threads_); }

  /// Returns what the listener does from now on.
  ListeningStage listening() const;
  bool wants_stacks() const;
  /// Starts tracing if the iteration is being watched; otherwise does nothing.
  void trace_devices(double now_us);
  void trace_nothing();
  bool traced_all() const { return traced_all_; }
  /// Returns true if the iteration that was found is a step that repeats in kind.
  bool finds_in_kind() const { return digest_ && digest_->recording.unequal; }
  /// For the iteration that was found: the function of its last call, and how many times an
  /// iteration calls it.
  std::uint32_t ending_function() const { return ending_function_; }
  std::uint64_t ending_calls() const { return ending_calls_; }

  /// Returns the only thread whose calls are the iteration; 0: those of any thread are.
  std::uint64_t only_thread() const { return threads_.only(); }
  /// Searches again for the calls of all threads. Returns false if these have never repeated.
  bool join_threads();

  void cupti_added(double us) { cupti_us_ = us; }
  void device_lengths(std::vector<std::optional<double>> us) { lengths_us_ = std::move(us); }
  HandleFacts& facts() { return facts_; }
  const HandleFacts& facts() const { return facts_; }

  std::set<std::uint32_t> own_functions() const;
  const ObservedIteration* latest() const { return digest_ ? &digest_->latest : nullptr; }
  /// `alone`: how many other threads stood still, and the times meanwhile.
  ApplicationRecording recording(std::uint64_t more_iterations, std::vector<double> watched_us,
                                 const RecordedThreads& alone) const;
  std::vector<MemoryFacts> live_memory() const { return memory_.all(); }

 private:
  /// In this order; an iteration that does not go on while it is confirmed leads back to the
  /// search.
  enum class Stage : std::uint8_t { searching, confirming, watching, tracing, done };

  void note_refusal(const ObservedCall& call);
  bool by_range() const { return !settings_.range.empty(); }
  void search(const ObservedCall& call, const std::optional<FoundPeriod>& found);
  bool search_one_thread(Parting reason);
  void search_all_threads();
  void search_again();
  void search_steps_again();
  void note_ignored();
  void attend(std::uint32_t function, std::uint64_t kernel, bool waits);
  std::optional<FoundPeriod> similar_steps(const ObservedCall& latest);
  bool is_all_heard(const FoundPeriod& period) const;
  void found(const FoundPeriod& period);
  std::uint64_t fingerprint_of(const ObservedCall& call);
  bool follow(double end_us);
  bool may_break_off() const;
  bool follows_with_breaks();
  void enough_followed();
  bool follows_rotation();
  void be_done();
  void left(std::uint64_t at, std::uint64_t expected, std::uint64_t got);
  void watch_end_of(std::uint64_t first, std::uint64_t calls);
  double end_before(std::uint64_t call) const;
  void start_following(double now_us);
  bool hears_runtime() const;
  Repetitions kept_repetitions() const;
  Digest digest_of_kept() const;
  void digest_what_is_kept();
  void compare_range(std::uint64_t calls);
  std::uint64_t first_difference(std::uint64_t before, std::uint64_t calls) const;
  std::string words_of(std::uint64_t call) const;
  BrokenPeriod in_words(const NearestPeriod& broken) const;
  ApplicationRecording iteration_in(const Digest& digest) const;
  ApplicationRecording nothing_found() const;
  std::optional<ApplicationRecording> similar_at_the_end() const;
  std::optional<PeriodRun> longest_without_wait() const;
  bool has_work(const PeriodRun& run) const;
  std::uint64_t end_behind(const PeriodRun& run) const;
  std::string because_of_threads(Parting reason = Parting::another_order) const;
  void put_threads(const RecordedThreads& alone, ApplicationRecording& recording) const;

  RecorderSettings settings_;
  Stage stage_ = Stage::searching;
  KnownMemory memory_;
  HandleFacts facts_;
  CallFingerprints fingerprints_;
  IterationFinder finder_;
  CallStore store_;
  SearchWindow window_;
  IssuingThreads threads_;
  /// The number of calls from which on the calls of one thread are searched, or again those of all.
  std::uint64_t next_choice_;
  PeriodAlignment alignment_;
  std::optional<SimilarSteps> similar_;      ///< while searching
  std::optional<FoundPeriod> latest_steps_;  ///< that it has found
  std::uint64_t searched_from_ = 0;          ///< first call of the search
  Attention attention_;
  bool glances_ = false;
  std::uint64_t glanced_ = 0;  ///< calls
  /// By function and reason. Named at once, because functions' names are unavailable at the end.
  struct NotedRefusal {
    Refusal refusal;
    bool lasts = false;
  };
  std::map<std::pair<std::uint32_t, const char*>, NotedRefusal> refusals_;

  CaptureCounts captures_{facts_};

  Repetitions repetitions_;              ///< of the iteration that was found, or of equal ranges
  std::uint64_t followed_from_ = 0;      ///< first call of the repetition being followed
  std::uint64_t traced_from_ = 0;        ///< first call that was traced
  std::vector<std::uint64_t> unsteady_;  ///< calls of it that wait for another event each time
  bool traced_all_ = false;
  double followed_from_us_ = 0;
  /// With breaks: the call under way is in no step that is known, and the next one may be.
  bool lost_ = false, may_begin_ = false;
  std::uint64_t others_ = 0, others_in_row_ = 0;  ///< steps with other calls
  std::uint64_t followed_ = 0;                    ///< in this stage
  std::uint64_t range_first_ = 0;                 ///< first call of the range under way
  std::uint64_t ranges_ = 0;                      ///< that have ended
  std::uint64_t calls_before_ = 0, iterations_ = 0;
  std::uint64_t last_query_ = 0;  ///< calls before the latest query
  std::uint32_t ending_function_ = 0;
  std::uint64_t ending_calls_ = 0;
  std::optional<ListeningCosts> listening_;
  std::optional<Digest> digest_;  ///< of the latest iteration that is no longer traced
  std::optional<BrokenPeriod> broken_;
  std::string why_none_;
  DeviceTimes times_;
  std::vector<std::optional<double>> lengths_us_;  ///< by call, if a replay timed its operations
  double cupti_us_ = 0;
};

}  // namespace trilane
