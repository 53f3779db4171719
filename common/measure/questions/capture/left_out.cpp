#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::capture_leaves_out {

struct Means : TriedMemory {
  Stream other = make_stream();
  OrderingEvent started, ended;
};

/// One operation, issued while a stream is captured. Returns the error of its call.
struct Tried {
  const char* name;
  cudaError_t (*issue)(const Means&, cudaStream_t captured);
};

cudaError_t clear(const Means& m, cudaStream_t stream) {
  return cudaMemsetAsync(m.device.get(), 0, m.bytes, stream);
}

cudaError_t clear_forked(const Means& m, cudaStream_t captured) {
  order(captured, m.other.get(), m.started);
  return clear(m, m.other.get());
}

constexpr Tried tried[] = {
    {"a memset on a stream that no event forked",
     [](const Means& m, cudaStream_t) { return clear(m, m.other.get()); }},
    {"a memset on a forked stream that is joined",
     [](const Means& m, cudaStream_t captured) {
       const cudaError_t code = clear_forked(m, captured);
       order(m.other.get(), captured, m.ended);
       return code;
     }},
    {"a memset on a forked stream that is not joined", clear_forked},
    {"a copy from pageable memory",
     [](const Means& m, cudaStream_t s) { return copy_pageable(m, s); }},
    {"a batch of copies", [](const Means& m, cudaStream_t s) { return copy_in_batch(m, s); }}};

std::string missing(const Tried& one) { return fmt::format("missing in the graph: {}", one.name); }

class LeftOut : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto count = [this](const Tried& one) {
      return [this, one] { return missing_without_error(one); };
    };
    return transformed(std::span(tried), [&](const Tried& one) -> Condition {
      return {missing(one), count(one), {count(tried[0]), count(tried[1])}, Quantity::count};
    });
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const Tried& one : tried) conclusion.add(one.name, r.always(missing(one)), "");
    return conclusion.note(
        "left out means that neither the call nor the end of the capture "
        "returned an error, and that the graph has no node for it");
  }

 private:
  double missing_without_error(const Tried& one) {
    cudaError_t code{};
    const auto outcome = capture_(cudaStreamCaptureModeThreadLocal, [&](cudaStream_t captured) {
      code = one.issue(means_, captured);
    });
    const bool silent = code == cudaSuccess && outcome.code == cudaSuccess;
    return silent && outcome.nodes == 0 ? 1 : 0;
  }

  Means means_;
  TriedCapture capture_;
};

const Enrolled<LeftOut> enrolled(
    {.name = "capture_leaves_out",
     .subject = Subject::graphs,
     .text = "Does a capture leave out work without an error?",
     .claim = "Everything that is issued between begin and end of a capture is in the graph.",
     .meaning = "What is left out runs once, or never, and in no launch of the graph. Count the "
                "nodes of a captured graph, as by cudaGraphGetNodes, before you trust its speed.",
     .documentation = "The programming guide says that a stream joins a capture when it waits for "
                      "an event recorded in it, and that all must be joined before its end.",
     .not_modelled = "captures of pageable copies and batches"});

}  // namespace trilane::capture_leaves_out
