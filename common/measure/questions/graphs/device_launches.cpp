#include "common/measure/ask/parts/graph_code.hpp"

namespace trilane::device_launches {

constexpr unsigned launches = 64, most = 300;
constexpr const char *host = "64 launches by the host",
                     *able = "64 launches by the host of graphs made for the device";

struct Way {
  const char *name, *done, *accepted;
  unsigned behind;  ///< the launching graph
};
constexpr Way ways[] = {
    {"fire and forget", "64 launches by a kernel, fire and forget",
     "of 300 by fire and forget, accepted", 0},
    {"tail launches", "64 tail launches by a kernel", "of 300 tail launches, accepted", 1}};

class DeviceLaunches : public StreamExperiment {
 public:
  DeviceLaunches() {
    std::vector<cudaGraphExec_t> known;
    for (unsigned i = 0; i < most; ++i) {
      graphs_.push_back(code_.launched_by_device([this](cudaStream_t s) { kernel_.enqueue(s); }));
      known.push_back(graphs_.back().get());
    }
    check(cudaMemcpy(on_device_.get(), known.data(), most * sizeof known[0], cudaMemcpyDefault));
  }

  std::vector<Condition> conditions() override {
    const auto by_host = [this](const auto& graph_of) {
      return [=, this] {
        return done_us([&] {
          for (unsigned i = 0; i < launches; ++i) launch(graph_of(i));
        });
      };
    };
    const auto host_us = by_host([this](unsigned) { return plain_.executable(); });
    std::vector<Condition> all{{host, host_us},
                               {able, by_host([this](unsigned i) { return graphs_[i].get(); })}};
    for (const Way& way : ways) {
      const auto parent = parent_of(launches, way), all_of_them = parent_of(most, way);
      const auto run_us = [=, this] { return done_us([&] { launch(parent->get()); }); };
      const auto count = [=, this] { return accepted(*all_of_them); };
      all.push_back({way.done, run_us, {host_us, nothing_us}});
      all.push_back({way.accepted, count, {}, Quantity::count});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    const auto took = [&](const char* way) { return fmt::format("{} take {}", way, r.time(way)); };
    return Conclusion(ways,
                      [&](const Way& way) -> CaseAnswer {
                        return {way.name, r.costs_more(host, way.done, 1.3, 1.2),
                                fmt::format("{}; {} {}", took(way.done), way.accepted,
                                            r.median(way.accepted))};
                      })
        .note(took(host))
        .note(took(able));
  }

 private:
  std::shared_ptr<GraphExec> parent_of(unsigned count, const Way& way) const {
    return std::make_shared<GraphExec>(code_.launched_by_device([&](cudaStream_t stream) {
      code_.enqueue(stream, "trilane_launch_graphs", 1, on_device_.get(), count, way.behind,
                    accepted_.get());
    }));
  }

  void launch(cudaGraphExec_t graph) const { check(cudaGraphLaunch(graph, stream())); }

  double accepted(const GraphExec& parent) const {
    launch(parent.get());
    synchronise();
    unsigned count = 0;
    check(cudaMemcpy(&count, accepted_.get(), sizeof count, cudaMemcpyDefault));
    return count;
  }

  GraphCode code_;
  BusyKernel kernel_{0};
  Recording plain_{[this](cudaStream_t stream) { kernel_.enqueue(stream); }};
  std::vector<GraphExec> graphs_;
  DeviceBuffer on_device_ = make_device_buffer(most * sizeof(cudaGraphExec_t)),
               accepted_ = make_device_buffer(sizeof(unsigned));
};

const Enrolled<DeviceLaunches> enrolled(
    {.name = "device_launches",
     .subject = Subject::graphs,
     .text = "Is a graph launched from the device sooner than from the host?",
     .claim = "A kernel can launch as many graphs as it likes.",
     .meaning = "What is not accepted does not run, and only the return value in the kernel says "
                "so. Launches by fire and forget are not ordered among themselves. Make only those "
                "graphs for the device that it launches: the host takes longer to launch them.",
     .documentation = "The programming guide limits a graph to 120 launches by fire and forget, "
                      "and to 255 that wait to run behind it.",
     .not_modelled = "launches from the device"});

}  // namespace trilane::device_launches
