#include "tests/device/simulator/faults/fault_places.hpp"

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

namespace {

constexpr int watched_passes = 3;

/// Returns the first call of that name after the `after`-th.
std::uint64_t next(const std::string_view name, std::uint64_t after) {
  const auto& calls = machine().calls;
  const auto found =
      std::find(calls.begin() + static_cast<std::ptrdiff_t>(after), calls.end(), name);
  if (found == calls.end()) throw std::logic_error("no call of that name follows");
  return static_cast<std::uint64_t>(found - calls.begin()) + 1;
}

}  // namespace

class WatchedVariant final : public Variant {
 public:
  WatchedVariant(WatchedVariants& watcher, const VariantEntry& original, const Job& job)
      : watcher_(watcher), name_(original.name), noted_(watcher.made_.insert(name_).second) {
    watch(Part::set_up, [&] { variant_ = original.make(job); });
  }
  ~WatchedVariant() override {
    watch(Part::tear_down, [&] { variant_.reset(); });
  }
  void submit(cudaStream_t origin) override {
    watch(Part::pass, [&] { variant_->submit(origin); });
  }
  std::vector<Count> evidence() const override { return variant_->evidence(); }

 private:
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

const char* name_of(Part part) {
  switch (part) {
    case Part::set_up: return "set-up";
    case Part::pass: return "pass";
    case Part::tear_down: return "tear-down";
  }
  return "";
}

WatchedVariants::WatchedVariants(std::string workload, std::function<void()> at_border)
    : workload_(std::move(workload)), at_border_(std::move(at_border)), originals_(registry()) {
  for (VariantEntry& entry : registry()) {
    const auto make = [this, entry](const Job& job) -> std::unique_ptr<Variant> {
      if (job.workload.name != workload_) return entry.make(job);
      return std::make_unique<WatchedVariant>(*this, entry, job);
    };
    entry.make = make;
  }
}

WatchedVariants::~WatchedVariants() { registry() = originals_; }

WatchedVariants::Stretch WatchedVariants::whole(Stretch stretch) {
  constexpr std::string_view wait = "cudaDeviceSynchronize";
  if (stretch.part == Part::pass) stretch.last = next("cudaStreamSynchronize", stretch.last);
  if (stretch.part == Part::tear_down) {
    if (machine().calls.at(stretch.first - 1) == wait) --stretch.first;
    stretch.last = next("cudaDeviceGraphMemTrim", stretch.last);
  }
  return stretch;
}

std::vector<FaultPlace> WatchedVariants::places() const {
  std::vector<FaultPlace> places;
  for (const Stretch& stretch : stretches_) {
    const auto [first, last, variant, part] = whole(stretch);
    for (std::uint64_t call = first; call < last; ++call) {
      places.push_back({call + 1, machine().calls[call], variant, part});
    }
  }
  return places;
}

}  // namespace trilane::simulator
