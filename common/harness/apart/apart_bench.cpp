#include "common/harness/apart/apart_bench.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

#include "common/console/interrupt.hpp"
#include "common/device/flavour.hpp"
#include "common/json/json_read.hpp"
#include "common/json/json_write.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

void throw_failure(const WorkerReply& reply) {
  switch (reply.failure) {
    case WorkerFailure::none: return;
    case WorkerFailure::error: throw std::runtime_error(reply.text);
    case WorkerFailure::out_of_memory: throw OutOfMemory(reply.text);
    case WorkerFailure::not_possible: throw NotPossible(reply.text);
  }
}

}  // namespace

ApartBench::ApartBench(Workers& workers, std::uint32_t workload, std::uint32_t rounds,
                       std::function<void()> draw_input)
    : workers_(workers), draw_input_(std::move(draw_input)) {
  const WorkerRequest open{.ask = Ask::open, .workload = workload, .rounds = rounds, .turn = {}};
  const std::size_t count = workers.channels.size();
  for (std::size_t variant = 0; variant < count; ++variant) send(variant, open);
  for (std::size_t variant = 0; variant < count; ++variant) {
    try {
      opened_.push_back(receive(variant));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      opened_.push_back({.failure = WorkerFailure::error, .text = error.what()});
    }
  }
}

void ApartBench::new_input() {
  draw_input_();
  for (std::size_t variant = 0; variant < opened_.size(); ++variant) {
    if (opened_[variant].failure == WorkerFailure::none) send(variant, {.ask = Ask::new_input});
  }
  for (std::size_t variant = 0; variant < opened_.size(); ++variant) {
    WorkerReply& opened = opened_[variant];
    if (opened.failure != WorkerFailure::none) continue;
    try {
      throw_failure(receive(variant));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      opened = {.failure = WorkerFailure::error, .text = error.what()};
    }
  }
}

double ApartBench::set_up(std::size_t variant) {
  throw_failure(opened_[variant]);
  const WorkerReply reply = ask(variant, {.ask = Ask::set_up});
  keep(reply.phases);
  return reply.us;
}

double ApartBench::pass(std::size_t variant) { return ask(variant, {.ask = Ask::pass}).us; }

double ApartBench::pass_by_phase(std::size_t variant) {
  const WorkerReply reply = ask(variant, {.ask = Ask::pass_by_phase});
  keep(reply.phases);
  return reply.us;
}

std::vector<Sample> ApartBench::turn(std::size_t variant, const TurnPlan& plan) {
  return ask(variant, {.ask = Ask::turn, .turn = plan}).samples;
}

std::string ApartBench::check(std::size_t variant, std::uint32_t batch) {
  return ask(variant, {.ask = Ask::check, .turn = {.batch = batch}}).text;
}

std::vector<Count> ApartBench::evidence(std::size_t variant) {
  return ask(variant, {.ask = Ask::evidence}).evidence;
}

double ApartBench::tear_down(std::size_t variant) {
  return ask(variant, {.ask = Ask::tear_down}).us;
}

/// The device's, as the process that was asked last sees it.
std::uint64_t ApartBench::free_bytes() { return ask(latest_, {.ask = Ask::free_bytes}).bytes; }

double ApartBench::now() { return now_us(); }

void ApartBench::send(std::size_t variant, const WorkerRequest& request) {
  workers_.channels[variant].send(value_of(request));  // if it is gone, receive() says so
}

WorkerReply ApartBench::receive(std::size_t variant) {
  const auto message = workers_.channels[variant].receive();
  if (!message) {
    throw std::runtime_error(
        fmt::format("the process of this variant {}", workers_.how_it_ended(variant)));
  }
  try {
    WorkerReply reply;
    read(*message, reply, {});
    return reply;
  } catch (const Misfit& error) {
    throw std::logic_error("an answer of the variant's process: " + in_words(error));
  }
}

WorkerReply ApartBench::ask(std::size_t variant, const WorkerRequest& request) {
  stop_if_interrupted();
  latest_ = variant;
  send(variant, request);
  WorkerReply reply = receive(variant);
  throw_failure(reply);
  return reply;
}

void ApartBench::keep(const std::vector<WorkerPhase>& phases) {
  phases_.clear();
  for (const WorkerPhase& phase : phases) {
    phases_.emplace_back(*names_.insert(phase.name).first, phase.us);
  }
}

}  // namespace trilane
