#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::allocation_nodes {

constexpr std::uint64_t bytes = 1 << 20;
constexpr const char *with_host = "launch of an allocation, a kernel and a free",
                     *without_host = "launch of the kernel alone",
                     *with_wall = "the same three, with the wait",
                     *without_wall = "the kernel alone, with the wait";

class AllocationNodes : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto launch_allocating = [this] { allocating_.launch(stream()); };
    const auto launch_plain = [this] { plain_.launch(stream()); };
    const auto allocating_us = [=, this] { return done_us(launch_allocating); };
    const auto twice_us = [=] { return allocating_us() + allocating_us(); };
    const auto plain_us = [=, this] { return done_us(launch_plain); };
    return {{with_host, [=, this] { return issued_us(launch_allocating); }},
            {without_host, [=, this] { return issued_us(launch_plain); }},
            {with_wall, allocating_us, {plain_us, twice_us}},
            {without_wall, plain_us, {allocating_us, nothing_us}}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(with_wall, without_wall, 1.2, 1.1),
        fmt::format("a graph of one kernel on 1 MiB takes {} with allocation and free as nodes "
                    "and {} on memory allocated before; the launch alone takes the host {} and {}",
                    r.time(with_wall), r.time(without_wall), r.time(with_host),
                    r.time(without_host)));
  }

 private:
  static void clear(void* memory, cudaStream_t stream) {
    Operation(clear_launch(memory, bytes)).enqueue(stream);
  }

  DeviceBuffer memory_ = make_device_buffer(bytes);
  Recording plain_{[this](cudaStream_t stream) { clear(memory_.get(), stream); }};
  Recording allocating_{[](cudaStream_t stream) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream));
    clear(memory, stream);
    check(cudaFreeAsync(memory, stream));
  }};
};

const Enrolled<AllocationNodes> enrolled(
    {.name = "allocation_nodes",
     .subject = Subject::graphs,
     .text = "Do allocation nodes cost a launch of a graph much?",
     .claim = "Allocation nodes allocate at every launch, which makes it slow.",
     .meaning = "If so, allocate before the capture what every launch needs. What they hold "
                "between launches is the question graph_memory.",
     .documentation = "The programming guide describes how graphs reuse and map such memory, and "
                      "names no figure for a launch.",
     .not_modelled = "what allocation nodes add to a launch"});

}  // namespace trilane::allocation_nodes
