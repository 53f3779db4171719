#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::batched {

struct Shape {
  std::size_t copies;
  std::uint64_t bytes;  // of each
};
constexpr Shape shapes[] = {{16, 4 << 10}, {256, 4 << 10}, {16, 1 << 20}};
constexpr std::uint64_t most_bytes = 16 << 20;

enum class How { single, batch };
enum class Until { issued, done };

std::string in_words(const Shape& shape) {
  return fmt::format("{} copies of {}", shape.copies, format_bytes(shape.bytes));
}

std::string name(const Shape& shape, How how, Until until) {
  return fmt::format("{}, {}{}", in_words(shape), how == How::single ? "single" : "in a batch",
                     until == Until::done ? ", with the wait" : "");
}

class Batched : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Shape& shape : shapes) {
      for (const Until until : {Until::issued, Until::done}) {
        const auto single_us = [=, this] { return run_us(shape, How::single, until); };
        const auto batch_us = [=, this] { return run_us(shape, How::batch, until); };
        all.push_back({name(shape, How::single, until), single_us});
        all.push_back({name(shape, How::batch, until), batch_us});
        if (until == Until::done) all.back().turned_round = {single_us};
      }
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(shapes, [&](const Shape& shape) -> CaseAnswer {
      const std::string single = name(shape, How::single, Until::done),
                        batch = name(shape, How::batch, Until::done);
      const auto time = [&](How how, Until until) { return r.time(name(shape, how, until)); };
      return {in_words(shape), r.costs_more(single, batch, 1.05, 1.02),
              fmt::format("{} are done after {} one by one and {} in a batch, and take the host "
                          "{} and {}",
                          in_words(shape), time(How::single, Until::done),
                          time(How::batch, Until::done), time(How::single, Until::issued),
                          time(How::batch, Until::issued))};
    });
  }

 private:
  double run_us(const Shape& shape, How how, Until until) const {
    std::vector<void*> to(shape.copies);
    std::vector<const void*> from(shape.copies);
    std::vector<std::size_t> sizes(shape.copies, shape.bytes);
    for (std::size_t i = 0; i < shape.copies; ++i) {
      to[i] = device_.get() + i * shape.bytes;
      from[i] = host_.get() + i * shape.bytes;
    }
    const auto issue = [&] {
      if (how == How::batch) {
        cudaMemcpyAttributes attributes{};
        attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        std::size_t first = 0;  // the attributes apply from this copy on
        check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), shape.copies, &attributes,
                                   &first, 1, stream()));
      } else {
        for (std::size_t i = 0; i < shape.copies; ++i) {
          copy_to_device(to[i], from[i], sizes[i], stream());
        }
      }
    };
    return until == Until::issued ? issued_us(issue) : done_us(issue);
  }

  PinnedBuffer host_ = make_pinned_buffer(most_bytes);
  DeviceBuffer device_ = make_device_buffer(most_bytes);
};

const Enrolled<Batched> enrolled(
    {.name = "batched_copies",
     .subject = Subject::copies,
     .text = "Is a batch of copies done sooner than single ones?",
     .claim = "A batch is only a shorter way to write a loop of copies.",
     .meaning = "If so, collect small copies and issue them with cudaMemcpyBatchAsync. Copies "
                "within a batch have no order among themselves.",
     .documentation = "The runtime's reference gives the rules of a batch, and no figure for what "
                      "it saves."});

}  // namespace trilane::batched
