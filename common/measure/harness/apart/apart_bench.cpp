#include "common/measure/harness/apart/apart_bench.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "common/base/console/interrupt.hpp"
#include "common/base/json/json_read.hpp"
#include "common/base/json/json_write.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"

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

void wait_for_start(Workers& workers) {
  for (Channel& channel : workers.channels)
    channel.send(value_of(WorkerRequest{.ask = Ask::start}));
  for (Channel& channel : workers.channels) channel.receive();
}

ApartBench::ApartBench(Workers& workers, std::uint32_t workload, std::uint32_t rounds,
                       std::function<void()> draw_input)
    : workers_(workers),
      open_{.ask = Ask::open, .workload = workload, .rounds = rounds, .turn = {}},
      draw_input_(std::move(draw_input)) {}

void ApartBench::new_input() { draw_input_(); }

double ApartBench::set_up(std::size_t variant) {
  ask(variant, open_);
  return ask(variant, {.ask = Ask::set_up}).us;
}

double ApartBench::pass(std::size_t variant) { return ask(variant, {.ask = Ask::pass}).us; }

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

double ApartBench::now() { return now_us(); }

WorkerReply ApartBench::ask(std::size_t variant, const WorkerRequest& request) {
  stop_if_interrupted();
  Channel& channel = workers_.channels[variant];
  channel.send(value_of(request));  // if it is gone, receive() reports it
  const auto message = channel.receive();
  if (!message) {
    throw std::runtime_error(
        fmt::format("the process of this variant {}", workers_.how_it_ended(variant)));
  }
  WorkerReply reply;
  try {
    read(*message, reply, {});
  } catch (const Misfit& error) {
    throw std::logic_error("an answer of the variant's process: " + in_words(error));
  }
  throw_failure(reply);
  return reply;
}

}  // namespace trilane
