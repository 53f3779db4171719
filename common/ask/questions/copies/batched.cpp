// Is a batch of copies cheaper for the host than single ones?
#include <fmt/format.h>

#include "common/ask/parts/words.hpp"
#include "common/ask/question.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/handles.hpp"
#include "common/text/size.hpp"

#if CUDART_VERSION >= 13000  // cudaMemcpyBatchAsync has had these arguments since
namespace trilane {
namespace {

struct Shape {
  std::size_t copies;
  std::uint64_t bytes;  // of each
};
constexpr Shape shapes[] = {{16, 4 << 10}, {256, 4 << 10}, {16, 1 << 20}};
constexpr std::uint64_t most_bytes = 16 << 20;  // of a shape

std::string in_words(const Shape& shape) {
  return fmt::format("{} copies of {}", shape.copies, format_bytes(shape.bytes));
}

std::string host_time(const Shape& shape, const char* how) {
  return fmt::format("{}, {}", in_words(shape), how);
}

constexpr const char *single = "single", *batch = "in a batch",
                     *single_done = "single, with the wait",
                     *batch_done = "in a batch, with the wait";

class Batched : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Shape& shape : shapes) {
      const auto job = std::make_shared<Job>(shape, host_.get(), device_.get());
      const auto issue_us = [this, job](auto issue) {
        const double us = timed_us([&] { ((*job).*issue)(stream_.get()); });
        check(cudaStreamSynchronize(stream_.get()));
        return us;
      };
      const auto done_us = [this, job](auto issue) {
        return timed_us([&] {
          ((*job).*issue)(stream_.get());
          check(cudaStreamSynchronize(stream_.get()));
        });
      };
      all.push_back({host_time(shape, single), [=] { return issue_us(&Job::one_by_one); }});
      all.push_back(
          {host_time(shape, batch),
           [=] { return issue_us(&Job::at_once); },
           Quantity::us,
           {[=] { return issue_us(&Job::one_by_one); }, [=] { return done_us(&Job::at_once); }}});
      all.push_back({host_time(shape, single_done), [=] { return done_us(&Job::one_by_one); }});
      all.push_back({host_time(shape, batch_done), [=] { return done_us(&Job::at_once); }});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const Shape& shape : shapes) {
      const auto us = [&](const char* how) { return r.median(host_time(shape, how)); };
      conclusion.add(
          in_words(shape),
          r.above(host_time(shape, single), host_time(shape, batch), 1.2) ? std::optional(true)
          : us(single) < 1.1 * us(batch)                                  ? std::optional(false)
                                                                          : std::nullopt,
          fmt::format("{} take the host {} one by one and {} in a batch; until they are "
                      "done {} and {}",
                      in_words(shape), time_in_words(us(single)), time_in_words(us(batch)),
                      time_in_words(us(single_done)), time_in_words(us(batch_done))));
    }
    return conclusion;
  }

 private:
  /// The copies of a shape, in.
  struct Job {
    Job(const Shape& shape, std::byte* host, std::byte* device) {
      for (std::size_t i = 0; i < shape.copies; ++i) {
        to.push_back(device + i * shape.bytes);
        from.push_back(host + i * shape.bytes);
      }
      sizes.assign(shape.copies, shape.bytes);
      attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    }

    void one_by_one(cudaStream_t stream) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        check(cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyHostToDevice, stream));
      }
    }

    void at_once(cudaStream_t stream) {
      std::size_t first = 0;  // the attributes hold from this copy on
      check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), sizes.size(), &attributes,
                                 &first, 1, stream));
    }

    std::vector<void*> to;
    std::vector<const void*> from;
    std::vector<std::size_t> sizes;
    cudaMemcpyAttributes attributes{};
  };

  PinnedBuffer host_ = make_pinned_buffer(most_bytes);
  DeviceBuffer device_ = make_device_buffer(most_bytes);
  Stream stream_ = make_stream();
};

const Enrolled<Batched> enrolled(
    {.name = "batched_copies",
     .subject = Subject::copies,
     .text = "Does a batch of copies take the host less time than single ones?",
     .meaning = "Where it does, collect small copies and issue them with cudaMemcpyBatchAsync. "
                "Copies within a batch have no order among themselves.",
     .documentation = "The runtime's reference gives the rules of a batch, and no figure for what "
                      "it saves.",
     .not_modelled = "batches of copies"});

}  // namespace
}  // namespace trilane
#endif
