// Finds the runtime calls that a run makes for its variants: the places of faults.
#pragma once

#include "common/device/simulator/machine/machine.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

/// A phase in the life of a variant.
enum class Part { set_up, pass, tear_down };

inline const char* name_of(Part part) {
  switch (part) {
    case Part::set_up: return "set-up";
    case Part::pass: return "pass";
    case Part::tear_down: return "tear-down";
  }
  return "";
}

struct FaultPlace {
  std::uint64_t call = 0;  ///< its number, as in Fault
  std::string name;        ///< of the runtime function
  std::string variant;
  Part part = Part::set_up;
};

/// Returns the first call of that name after the `after`-th.
inline std::uint64_t next_call(const std::string_view name, std::uint64_t after) {
  const auto& calls = machine().calls;
  const auto found =
      std::find(calls.begin() + static_cast<std::ptrdiff_t>(after), calls.end(), name);
  if (found == calls.end()) throw std::logic_error("no call of that name follows");
  return static_cast<std::uint64_t>(found - calls.begin()) + 1;
}

/// While an instance exists, registered variants behave as usual. Those made for the workload of
/// that name also note their calls, so that no border has to be guessed from the names of calls.
class WatchedVariants {
 public:
  /// `at_border` is called before and after every set-up, submit and tear-down.
  WatchedVariants(std::string workload, std::function<void()> at_border)
      : workload_(std::move(workload)), at_border_(std::move(at_border)), originals_(registry()) {
    for (VariantEntry& entry : registry()) {
      const auto make = [this, entry](const Job& job) -> std::unique_ptr<Variant> {
        if (job.workload.name != workload_) return entry.make(job);
        return std::make_unique<Watched>(*this, entry, job);
      };
      entry.make = make;
    }
  }
  ~WatchedVariants() { registry() = originals_; }
  WatchedVariants(const WatchedVariants&) = delete;
  WatchedVariants& operator=(const WatchedVariants&) = delete;

  /// Must be called after the run, while its machine still exists. Returns every call of each
  /// variant's first set-up, of the first three passes after it and of its tear-down, in order.
  /// Besides the variant's own calls these are the wait at the end of a pass, and the bench's calls
  /// around the destructor.
  std::vector<FaultPlace> places() const {
    std::vector<FaultPlace> places;
    for (const Stretch& stretch : stretches_) {
      const auto [first, last, variant, part] = whole(stretch);
      for (std::uint64_t call = first; call < last; ++call) {
        places.push_back({call + 1, machine().calls[call], variant, part});
      }
    }
    return places;
  }

 private:
  /// Calls first + 1 to last.
  struct Stretch {
    std::uint64_t first, last;
    std::string variant;
    Part part;
  };
  static Stretch whole(Stretch stretch) {
    constexpr std::string_view wait = "cudaDeviceSynchronize";
    if (stretch.part == Part::pass) stretch.last = next_call("cudaStreamSynchronize", stretch.last);
    if (stretch.part == Part::tear_down) {
      if (machine().calls.at(stretch.first - 1) == wait) --stretch.first;
      stretch.last = next_call("cudaDeviceGraphMemTrim", stretch.last);
    }
    return stretch;
  }

  class Watched final : public Variant {
   public:
    Watched(WatchedVariants& watcher, const VariantEntry& original, const Job& job)
        : watcher_(watcher), name_(original.name), noted_(watcher.made_.insert(name_).second) {
      watch(Part::set_up, [&] { variant_ = original.make(job); });
    }
    ~Watched() override {
      watch(Part::tear_down, [&] { variant_.reset(); });
    }
    void submit(cudaStream_t origin) override {
      watch(Part::pass, [&] { variant_->submit(origin); });
    }
    std::vector<Count> evidence() const override { return variant_->evidence(); }

   private:
    static constexpr int watched_passes = 3;

    template <typename Action>
    void watch(Part part, Action action) {
      watcher_.at_border_();
      const std::uint64_t before = machine().calls.size();
      action();
      if (noted_ && (part != Part::pass || passes_++ < watched_passes)) {
        watcher_.stretches_.push_back({before, machine().calls.size(), name_, part});
      }
      watcher_.at_border_();
    }

    WatchedVariants& watcher_;
    std::string name_;
    bool noted_;
    std::unique_ptr<Variant> variant_;
    int passes_ = 0;
  };

  std::string workload_;
  std::function<void()> at_border_;
  std::vector<VariantEntry> originals_;
  std::vector<Stretch> stretches_;
  std::set<std::string> made_;  // variants by name: later set-ups of them are not noted
};

}  // namespace trilane::simulator
