#include "common/measure/ask/parts/graph_code.hpp"
#include "common/measure/gpu/mapped.hpp"
#include "kernels/move.hpp"

namespace trilane::loop_on_device {

constexpr int turns = GraphCode::turns;
constexpr const char *copied = "a word copied back each turn",
                     *polled = "a mapped word polled each turn", *looped = "a WHILE node",
                     *again = "a graph that launches itself again",
                     *unrolled = "a graph of all turns, which decides nothing";

class LoopOnDevice : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto by_copies = [this] { return done_us([this] { turns_by_copies(); }); };
    const auto graph = [this](const GraphExec& executable) {
      return [&executable, this] {
        return done_us([&] { check(cudaGraphLaunch(executable.get(), stream())); });
      };
    };
    return {{copied, by_copies},
            {polled, [this] { return done_us([this] { turns_by_polls(); }); }},
            {looped, graph(loop_), {by_copies}},
            {again, graph(again_), {by_copies}},
            {unrolled, [this] { return done_us([this] { unrolled_.launch(stream()); }); }}};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const char* const way : {looped, again}) {
      conclusion.add(way, r.costs_more(polled, way, 1.1, 1.03), "");
    }
    return conclusion.note(fmt::format(
        "{} turns of a short kernel take {} with {}, {} with {}, {} with {}, {} with {}, and {} as "
        "{}",
        turns, r.time(copied), copied, r.time(polled), polled, r.time(looped), looped,
        r.time(again), again, r.time(unrolled), unrolled));
  }

 private:
  void turns_by_copies() const {
    for (int i = 0; i < turns; ++i) {
      kernel_.enqueue(stream());
      copy_to_host(word_.get(), device_.get(), 1, stream());
      synchronise();
    }
  }

  void turns_by_polls() const {
    std::atomic_ref<std::byte> word(*word_.get());
    for (int i = 0; i < turns; ++i) {
      word.store(std::byte{0});
      kernel_.enqueue(stream());
      Operation(clear_launch(device_address(word_.get()), 1, 1)).enqueue(stream());
      while (word.load() == std::byte{0}) continue;
    }
  }

  BusyKernel kernel_{0};
  PinnedBuffer word_ = make_pinned_buffer(1);
  DeviceBuffer device_ = make_device_buffer(1);
  GraphCode code_;
  Issue turn_ = [this](cudaStream_t stream) { kernel_.enqueue(stream); };
  GraphExec loop_ = code_.loop(turn_), again_ = code_.chain_of_launches(turn_);
  Recording unrolled_{[this](cudaStream_t stream) {
    for (int i = 0; i < turns; ++i) turn_(stream);
  }};
};

const Enrolled<LoopOnDevice> enrolled(
    {.name = "loop_on_device",
     .subject = Subject::graphs,
     .text = "Is a loop whose end the device decides faster than one that the host decides?",
     .claim = "A WHILE node makes the turns of a loop as cheap as nodes of a graph.",
     .meaning = "If so, let a kernel set the condition of a WHILE node, or launch the graph again. "
                "A turn still takes longer than the same nodes in a row, so put several steps into "
                "a turn.",
     .documentation = "The programming guide describes both, and names no figure for a turn.",
     .not_modelled = "conditional nodes and launches from the device"});

}  // namespace trilane::loop_on_device
