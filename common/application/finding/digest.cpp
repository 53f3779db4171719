#include "common/application/finding/digest.hpp"

#include "common/application/finding/call_describer.hpp"
#include "common/application/finding/call_fingerprint.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

bool same_kernel(const ObservedCall& one, const ObservedCall& other) {
  return one.launch.function == other.launch.function;
}

/// Compares calls of one kind in what an exact repetition would have to have in common.
bool same_size(const ObservedCall& one, const ObservedCall& other) {
  const std::size_t copies = one.batch ? one.batch->copies.size() : 0;
  return same_kernel(one, other) && std::ranges::equal(one.launch.grid, other.launch.grid) &&
         std::ranges::equal(one.launch.block, other.launch.block) &&
         one.launch.shared_bytes == other.launch.shared_bytes && one.bytes == other.bytes &&
         one.height == other.height && copies == (other.batch ? other.batch->copies.size() : 0);
}

class Digester {
 public:
  Digester(const CallStore& store, KnownMemory memory, const HandleFacts& facts,
           const Repetitions& repetitions)
      : store_(store),
        memory_(std::move(memory)),
        facts_(facts),
        repetitions_(repetitions),
        traced_(repetitions.all.back().traced),
        describer_(memory_, facts_, recording_) {}

  Digest digest() {
    if (repetitions_.in_kind) recording_.unequal.emplace();
    recording_.calls.resize(repetitions_.calls);
    in_memory_.resize(repetitions_.calls);
    rewind();
    walk();
    recording_.memory = describer_.memory();
    for (std::uint64_t i = 0; i < repetitions_.calls; ++i) over_repetitions(i);
    if (recording_.threads > 1) {
      recording_.issuing = {.in_turns = take_turns(store_, repetitions_)};
    }
    put_own_times(recording_.calls, store_, repetitions_);
    keep_values();
    keep_traced();
    keep_latest();
    return std::move(digest_);
  }

 private:
  /// Returns true for traced repetitions; if none exist, for those lengthened least.
  bool gives_times(const Repetition& repetition) const {
    if (traced_) return repetition.traced;
    return !repetition.runtime || std::ranges::all_of(repetitions_.all, &Repetition::runtime);
  }

  std::uint64_t begin() const { return repetitions_.all.front().first; }
  const Repetition& last() const { return repetitions_.all.back(); }

  void rewind() {
    for (std::uint64_t call = store_.size(); call > begin(); --call) {
      memory_.undo(store_.at(call - 1), store_.freed_by(call - 1));
    }
  }

  /// Walks through all calls again, so that each pointer is looked up in the memory of its time.
  void walk() {
    std::size_t repetition = 0;
    for (std::uint64_t number = begin(); number < last().first + repetitions_.calls; ++number) {
      const ObservedCall call = store_.at(number);
      const MemoryBlock freed = memory_.note(call);
      if (number >= repetitions_.all[repetition].first + repetitions_.calls) ++repetition;
      const std::uint64_t first = repetitions_.all[repetition].first;
      if (number < first) continue;  // between two ranges
      if (call.kind == CallKind::kernel) note_pointers(number - first, call);
      if (first == last().first) describe(number - first, call, freed);
    }
  }

  /// A word counts as a pointer as long as it has pointed into memory in each repetition.
  void note_pointers(std::uint64_t i, const ObservedCall& call) {
    const bool may_differ = repetitions_.in_kind;
    if (may_differ && !same_kernel(call, store_.at(last().first + i))) return;
    const auto words = pointer_words(facts_.kernel(call.launch.function), call.launch);
    std::vector<bool>& always = in_memory_[i];
    if (always.empty()) always.assign(words.size(), true);
    for (std::size_t word = 0; word < always.size(); ++word) {
      if (!always[word]) continue;
      always[word] = word < words.size() && memory_.is_live(words[word].value);
    }
  }

  /// Describes the call of the last repetition, which stands for all.
  void describe(std::uint64_t i, const ObservedCall& call, const MemoryBlock& freed) {
    recording_.calls[i] = describer_.described(call, freed, in_memory_[i]);
    threads_.insert(call.thread);
    recording_.threads = static_cast<std::uint32_t>(threads_.size());
    contexts_.insert(call.context);
    recording_.contexts = static_cast<std::uint32_t>(contexts_.size());
  }

  void over_repetitions(std::uint64_t i) {
    std::vector<ObservedCall> calls;
    std::vector<double> starts_us, host_us;
    std::vector<std::uint64_t> addresses;
    std::uint32_t runtime = 0;
    const ObservedStack* stack = nullptr;
    for (const Repetition& repetition : repetitions_.all) {
      const ObservedCall& call = calls.emplace_back(store_.at(repetition.first + i));
      if (call.runtime != 0) runtime = call.runtime;
      if (call.stack != nullptr) stack = call.stack;
      if (gives_times(repetition)) {
        starts_us.push_back(std::max(0.0, call.begin_us - repetition.start_us));
        host_us.push_back(std::max(0.0, call.end_us - call.begin_us));
      }
      addresses.push_back(addresses_of(call));
    }
    RecordedCall& recorded = recording_.calls[i];
    recorded.runtime = facts_.runtime_name(runtime);
    if (stack != nullptr) recorded.stack = describer_.number_of(*stack);
    recorded.start_us = median(starts_us);
    recorded.host_us = median(host_us);
    recorded.pointers = variation(addresses);
    if (repetitions_.in_kind && !std::ranges::all_of(calls, [&](const ObservedCall& call) {
          return same_size(call, calls.back());
        })) {
      recorded.pointers = Variation::changes;
      ++recording_.unequal->calls;
    }
    if (recorded.kind == CallKind::kernel) recorded.arguments = variations(calls);
  }

  /// Returns the value's variation. Unseen repetitions lie between the traced ones and the others.
  Variation variation(std::span<const std::uint64_t> values) const {
    const auto traced = std::ranges::find(repetitions_.all, true, &Repetition::traced);
    const auto before = static_cast<std::size_t>(traced - repetitions_.all.begin());
    return variation_of(values.first(before), values.subspan(before));
  }

  std::vector<Variation> variations(const std::vector<ObservedCall>& calls) const {
    std::vector<Variation> found;
    for (const ParameterPlace& place : facts_.kernel(calls.back().launch.function).parameters) {
      std::vector<std::uint64_t> values;
      for (const ObservedCall& call : calls) {
        if (!same_kernel(call, calls.back())) continue;
        if (const auto value = parameter_value(place, call.launch)) values.push_back(*value);
      }
      // Unknown bytes may change.
      const bool known = values.size() == calls.size();
      found.push_back(known ? variation(values) : Variation::changes);
    }
    return found;
  }

  void keep_values() {
    for (std::uint32_t i = 0; i < repetitions_.calls; ++i) {
      const RecordedCall& call = recording_.calls[i];
      if (call.kind != CallKind::kernel) continue;
      const ObservedLaunch& launch = store_.at(last().first + i).launch;
      const std::vector<ParameterPlace>& places = facts_.kernel(launch.function).parameters;
      for (std::uint32_t parameter = 0; parameter < places.size(); ++parameter) {
        const bool is_pointer = recording_.kernels[call.kernel].parameters[parameter].pointer;
        if (is_pointer || call.arguments[parameter] != Variation::constant) continue;
        if (digest_.data.values.size() >= RecordedData::most_values) return;
        if (const auto bits = parameter_bits(places[parameter], launch)) {
          digest_.data.values.push_back({i, parameter, *bits});
        }
      }
    }
  }

  void keep_traced() {
    for (const Repetition& repetition : repetitions_.all) {
      if (!gives_times(repetition)) continue;
      recording_.iteration_us.push_back(std::max(0.0, repetition.end_us - repetition.start_us));
      if (!repetition.traced) continue;
      Digest::Traced& traced = digest_.traced.emplace_back();
      traced.start_us = repetition.start_us;
      for (std::uint64_t i = 0; i < repetitions_.calls; ++i) {
        traced.correlations.push_back(store_.at(repetition.first + i).correlation);
      }
    }
  }

  void keep_latest() {
    for (std::uint64_t i = 0; i < repetitions_.calls; ++i) {
      ObservedCall& call = digest_.latest.calls.emplace_back(store_.at(last().first + i));
      if (!call.launch.arguments.empty()) digest_.latest.keep_arguments(call.launch);
    }
  }

  const CallStore& store_;
  KnownMemory memory_;
  const HandleFacts& facts_;
  const Repetitions& repetitions_;
  const bool traced_;  ///< times are those of the traced repetitions
  Digest digest_;
  ApplicationRecording& recording_ = digest_.recording;
  CallDescriber describer_;  ///< puts what calls name into recording_
  std::set<std::uint64_t> threads_, contexts_;
  std::vector<std::vector<bool>> in_memory_;  ///< by call: for each word that may be a pointer
};

void at_least(Variation& variation, Variation other) { variation = std::max(variation, other); }

void differs(Variation& variation) {
  if (variation == Variation::constant) variation = Variation::changes;
}

void compare_arguments(std::vector<Variation>& arguments, const ObservedLaunch& latest,
                       const ObservedLaunch& other, const HandleFacts& facts) {
  const std::vector<ParameterPlace>& places = facts.kernel(latest.function).parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto value = i < places.size() ? parameter_value(places[i], other) : std::nullopt;
    if (!value || value != parameter_value(places[i], latest)) differs(arguments[i]);
  }
}

/// Keeps values only of constant arguments, which have one value.
void keep_constant_values(Digest& digest) {
  std::erase_if(digest.data.values, [&](const RecordedValue& value) {
    return digest.recording.calls[value.call].arguments[value.parameter] != Variation::constant;
  });
}

bool go_round(std::span<const std::uint64_t> values, std::span<const std::uint64_t> turn) {
  for (std::size_t place = 0; place < turn.size(); ++place) {
    std::size_t same = 0;
    while (same < values.size() && values[same] == turn[(place + same) % turn.size()]) ++same;
    if (same == values.size()) return true;
  }
  return false;
}

}  // namespace

Digest digest_of(const CallStore& store, KnownMemory memory, const HandleFacts& facts,
                 const Repetitions& repetitions) {
  return Digester(store, std::move(memory), facts, repetitions).digest();
}

void add_repetition(Digest& digest, const ObservedIteration& other, const HandleFacts& facts) {
  for (std::size_t i = 0; i < std::min(digest.recording.calls.size(), other.calls.size()); ++i) {
    const ObservedCall& latest = digest.latest.calls[i];
    RecordedCall& call = digest.recording.calls[i];
    if (addresses_of(latest) != addresses_of(other.calls[i])) differs(call.pointers);
    if (call.kind != CallKind::kernel) continue;
    compare_arguments(call.arguments, latest.launch, other.calls[i].launch, facts);
  }
  keep_constant_values(digest);
}

void add_earlier(Digest& digest, const Digest& earlier, const HandleFacts& facts) {
  add_repetition(digest, earlier.latest, facts);
  const bool has_stacks = digest.recording.source.has_value();
  if (!has_stacks) digest.recording.source = earlier.recording.source;
  for (std::size_t i = 0;
       i < std::min(digest.recording.calls.size(), earlier.recording.calls.size()); ++i) {
    RecordedCall& call = digest.recording.calls[i];
    at_least(call.pointers, earlier.recording.calls[i].pointers);
    if (!has_stacks) call.stack = earlier.recording.calls[i].stack;
    const std::vector<Variation>& before = earlier.recording.calls[i].arguments;
    for (std::size_t j = 0; j < call.arguments.size(); ++j) {
      at_least(call.arguments[j], j < before.size() ? before[j] : Variation::changes);
    }
  }
  keep_constant_values(digest);
}

Variation variation_of(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> later) {
  if (later.size() > values.size()) std::swap(values, later);
  if (values.empty()) return Variation::constant;
  const std::size_t most = std::max<std::size_t>(1, values.size() / 2);
  for (std::size_t length = 1; length <= most; ++length) {
    const auto turn = values.first(length);
    if (!go_round(values, turn) || !go_round(later, turn)) continue;
    return length == 1 ? Variation::constant : Variation::alternates;
  }
  return Variation::changes;
}

}  // namespace trilane
