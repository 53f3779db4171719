#include "common/measure/ask/parts/graph_code.hpp"

namespace trilane::if_node {

enum class Branch { left_out, run };

struct Case {
  int kernels;
  Branch branch;
};
constexpr Case cases[] = {{1, Branch::left_out}, {32, Branch::left_out}, {32, Branch::run}};

std::string name_of(const Case& one) {
  return fmt::format("{} kernel{} {}", one.kernels, one.kernels == 1 ? "" : "s",
                     one.branch == Branch::run ? "to run" : "to leave out");
}
std::string node_with(const Case& one) { return "an IF node: " + name_of(one); }
std::string kernels_with(const Case& one) { return "kernels that test a word: " + name_of(one); }
std::string host_with(const Case& one) {
  return "the host, by a word copied back: " + name_of(one);
}

class IfNode : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Case& one : cases) {
      const auto body = [=, this](cudaStream_t stream) { count(one.kernels, stream); };
      const auto node = std::make_shared<GraphExec>(code_.branch(decision(one), word(), body));
      const auto by_host = std::make_shared<Recording>(body);
      const auto testing = std::make_shared<Recording>([&](cudaStream_t stream) {
        decision(one).enqueue(stream);
        body(stream);
      });
      const auto tested = [=, this] { return done_us([&] { testing->launch(stream()); }); };
      const auto launched = [=, this] {
        return done_us([&] { check(cudaGraphLaunch(node->get(), stream())); });
      };
      all.push_back({node_with(one), launched, {tested, nothing_us}});
      all.push_back({kernels_with(one), tested});
      all.push_back({host_with(one), [=, this] { return decided_by_host_us(one, *by_host); }});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(cases, [&](const Case& one) -> CaseAnswer {
      const std::string name = name_of(one);
      return {name, r.costs_more(kernels_with(one), node_with(one), 1.3, 1.15),
              fmt::format("with {} an IF node takes {}, kernels that test the word themselves {}, "
                          "and the host, which has it copied back, {}",
                          name, r.time(node_with(one)), r.time(kernels_with(one)),
                          r.time(host_with(one)))};
    });
  }

 private:
  unsigned* word() const { return reinterpret_cast<unsigned*>(words_.get()); }

  Operation decision(const Case& one) const {
    return Operation(Operation::Clear{word(), sizeof(unsigned), one.branch == Branch::run});
  }

  void count(int kernels, cudaStream_t stream) const {
    Operation kernel(code_.launch("trilane_count_if", 1, word(), word() + 1));
    for (int i = 0; i < kernels; ++i) kernel.enqueue(stream);
  }

  double decided_by_host_us(const Case& one, const Recording& body) const {
    return done_us([&] {
      decision(one).enqueue(stream());
      copy_to_host(host_.get(), word(), sizeof(unsigned), stream());
      check(cudaStreamSynchronize(stream()));
      if (*host_ != std::byte{0}) body.launch(stream());
    });
  }

  GraphCode code_;
  DeviceBuffer words_ = make_cleared_buffer(2 * sizeof(unsigned));
  PinnedBuffer host_ = make_pinned_buffer(sizeof(unsigned));
};

const Enrolled<IfNode> enrolled(
    {.name = "if_node",
     .subject = Subject::graphs,
     .text = "Is an IF node faster than kernels that test the condition themselves?",
     .claim = "An IF node spares the time of what it leaves out.",
     .meaning = "The node costs about as much as several short kernels. Use it around many of "
                "them, and let few test the condition themselves.",
     .documentation = "The programming guide says that conditional nodes spare the way back to "
                      "the host, and names no figure.",
     .not_modelled = "conditional nodes"});

}  // namespace trilane::if_node
