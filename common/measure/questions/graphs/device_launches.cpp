#include "common/measure/ask/parts/graph_code.hpp"

namespace trilane::device_launches {

constexpr unsigned launches = 64, most = 300;
constexpr const char *host = "64 launches of a graph by the host",
                     *fired = "64 by a kernel, by fire and forget",
                     *tail = "64 by a kernel, as tail launches",
                     *accepted_fired = "of 300 launches by fire and forget, accepted",
                     *accepted_tail = "of 300 tail launches, accepted";

enum class How : unsigned { fire_and_forget, behind };

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
    const auto host_us = [this] {
      return done_us([&] {
        for (unsigned i = 0; i < launches; ++i) plain_.launch(stream());
      });
    };
    std::vector<Condition> all{{host, host_us}};
    for (const How how : {How::fire_and_forget, How::behind}) {
      const bool first = how == How::fire_and_forget;
      const auto parent = parent_of(launches, how), all_of_them = parent_of(most, how);
      all.push_back({first ? fired : tail,
                     [=, this] { return done_us([&] { launch(*parent); }); },
                     {host_us, nothing_us}});
      all.push_back({first ? accepted_fired : accepted_tail,
                     [=, this] { return accepted(*all_of_them); },
                     {},
                     Quantity::count});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    conclusion.add("fire and forget", r.costs_more(host, fired, 1.3, 1.2), "");
    conclusion.add("tail launches", r.costs_more(host, tail, 1.1, 1.03), "");
    for (const char* const way : {host, fired, tail}) {
      conclusion.note(fmt::format("{} take {}", way, r.time(way)));
    }
    return conclusion.note(fmt::format("{} {}, and {} {}", accepted_fired, r.median(accepted_fired),
                                       accepted_tail, r.median(accepted_tail)));
  }

 private:
  std::shared_ptr<GraphExec> parent_of(unsigned count, How how) const {
    return std::make_shared<GraphExec>(code_.launched_by_device([&](cudaStream_t stream) {
      Operation(code_.launch("trilane_launch_graphs", 1, on_device_.get(), count,
                             static_cast<unsigned>(how), accepted_.get()))
          .enqueue(stream);
    }));
  }

  void launch(const GraphExec& graph) const { check(cudaGraphLaunch(graph.get(), stream())); }

  double accepted(const GraphExec& parent) const {
    done_us([&] { launch(parent); });
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
                "so. Launches by fire and forget are not ordered among themselves.",
     .documentation = "The programming guide limits a graph to 120 launches by fire and forget, "
                      "and to 255 that wait to run behind it.",
     .not_modelled = "launches from the device"});

}  // namespace trilane::device_launches
