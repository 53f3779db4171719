#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::default_stream {

constexpr const char *kernel = "a kernel",
                     *legacy_blocking = "legacy default stream beside a blocking stream",
                     *legacy_other = "legacy default stream beside a non-blocking stream",
                     *own_blocking = "per-thread default stream beside a blocking stream",
                     *own_legacy = "per-thread default stream beside the legacy one";

class DefaultStream : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto pair = [this](cudaStream_t one, cudaStream_t other) {
      return [this, one, other] { return both_us(one, other); };
    };
    const cudaStream_t blocking = blocking_.get(), plain = stream();
    return {{kernel, [this] { return kernel_.wall_us(stream()); }},
            {legacy_blocking, pair(cudaStreamLegacy, blocking), {pair(cudaStreamLegacy, plain)}},
            {legacy_other, pair(cudaStreamLegacy, plain), {pair(cudaStreamLegacy, blocking)}},
            {own_blocking, pair(cudaStreamPerThread, blocking)},
            {own_legacy, pair(cudaStreamPerThread, cudaStreamLegacy)}};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const char* name : {legacy_blocking, legacy_other, own_blocking, own_legacy}) {
      const double times = r.median(name) / r.median(kernel);
      conclusion.add(
          name, decided(times > 1.75, times < 1.25),
          fmt::format("two kernels of {} take {} on the {}", r.time(kernel), r.time(name), name));
    }
    return conclusion;
  }

 private:
  double both_us(cudaStream_t one, cudaStream_t other) {
    return timed_us([&] {
      kernel_.enqueue(one);
      second_.enqueue(other);
      check(cudaDeviceSynchronize());
    });
  }

  BusyKernel kernel_{500}, second_{500};
  OwnStream blocking_ = make_blocking_stream();
};

const Enrolled<DefaultStream> enrolled(
    {.name = "default_stream",
     .subject = Subject::order,
     .text = "Do the default streams, legacy and per thread, wait for other streams?",
     .claim = "Work on a default stream never runs beside work on other streams.",
     .meaning = "Make streams with cudaStreamNonBlocking, and launch nothing on the legacy default "
                "stream: it takes turns with every blocking stream.",
     .documentation = "The runtime's reference lets the legacy default stream synchronise with "
                      "blocking streams, and a per-thread one only with the legacy one."});

}  // namespace trilane::default_stream
