#include "common/measure/ask/reply.hpp"

#include "common/base/json/json_values.hpp"

namespace trilane {
namespace {

/// Returns the range of samples; for counts and codes it is narrower than a file allows.
Range range_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::us: return either_way_us;
    case Quantity::count:
    case Quantity::bytes: return {0, either_way_us.most};
    case Quantity::error: return {0, 99'999};
  }
  return {};
}

}  // namespace

void cross_check(const Figure& figure) {
  within("samples", [&] {
    within_each(figure.samples,
                [&](double sample) { require_in(sample, range_of(figure.quantity)); });
  });
}

void cross_check(const Reply& reply) {
  if (reply.question.empty()) throw Misfit{".question", "is empty"};
  if ((reply.hazards == 0) != reply.first_hazard.empty()) {
    throw Misfit{".first_hazard", fmt::format("is \"{}\", and there are {} hazards",
                                              reply.first_hazard, reply.hazards)};
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < reply.figures.size(); ++i) {
    const Figure& figure = reply.figures[i];
    const std::size_t rounds = reply.figures.front().samples.size();
    const std::string place = ".figures" + step(i);
    if (figure.samples.empty()) throw Misfit{place + ".samples", "has no entry"};
    if (figure.samples.size() != rounds) {
      throw Misfit{place + ".samples", fmt::format("has {} entries, and the first figure has {}",
                                                   figure.samples.size(), rounds)};
    }
    if (!names.insert(figure.name).second) {
      throw Misfit{place + ".name", fmt::format("is {}, as before", figure.name)};
    }
  }
  if (!reply.processes) return;
  std::uint64_t rounds = 0;
  for (const ProcessReply& process : *reply.processes) rounds += process.rounds;
  const std::size_t samples = reply.figures.empty() ? 0 : reply.figures.front().samples.size();
  if (rounds == samples) return;
  throw Misfit{".processes",
               fmt::format("have {} rounds, and a figure has {} samples", rounds, samples)};
}

void round_to_nanoseconds(Reply& reply) {
  for (Figure& figure : reply.figures) {
    for (double& sample : figure.samples) sample = to_nanoseconds(sample);
  }
}

std::string to_json(const Replies& replies) { return pretty(document_of(replies_schema, replies)); }

Replies replies_from_json(const std::string& text) {
  return record_from<Replies>(text, replies_schema, "answers file");
}

}  // namespace trilane
