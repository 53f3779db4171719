#include "common/measure/harness/apart/serve.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include "common/base/json/json_read.hpp"
#include "common/base/json/json_write.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/measure/harness/apart/messages.hpp"

namespace trilane {
namespace {

constexpr std::size_t only = 0;  // the variant of a bench in its own process

WorkerReply answer(Bench& bench, const WorkerRequest& request) {
  WorkerReply reply;
  switch (request.ask) {
    case Ask::start:
    case Ask::open: break;
    case Ask::set_up: reply.us = bench.set_up(only); break;
    case Ask::pass: reply.us = bench.pass(only); break;
    case Ask::turn: reply.samples = bench.turn(only, request.turn); break;
    case Ask::check: reply.text = bench.check(only, request.turn.batch); break;
    case Ask::evidence: reply.evidence = bench.evidence(only); break;
    case Ask::tear_down: reply.us = bench.tear_down(only); break;
  }
  return reply;
}

WorkerReply failed(WorkerFailure failure, const char* text) {
  return {.failure = failure, .text = text};
}

/// Returns the answer, or the failure. Keeps the bench of the latest workload in `bench`.
WorkerReply safe_answer(std::unique_ptr<Bench>& bench, const OpenBench& open,
                        const WorkerRequest& request) try {
  if (request.ask == Ask::start) return {};
  if (request.ask == Ask::open) {
    bench.reset();  // frees its memory before the next one allocates
    bench = open(request.workload, request.rounds);
  }
  if (!bench) throw std::logic_error("asked before a workload was opened");
  return answer(*bench, request);
} catch (const OutOfMemory& error) {
  return failed(WorkerFailure::out_of_memory, error.what());
} catch (const NotPossible& error) {
  return failed(WorkerFailure::not_possible, error.what());
} catch (const std::bad_alloc&) {
  return failed(WorkerFailure::out_of_memory, "the host's memory ran out");
} catch (const std::exception& error) {
  return failed(WorkerFailure::error, error.what());
}

}  // namespace

void serve(Channel& channel, const OpenBench& open) {
  std::unique_ptr<Bench> bench;
  while (const auto message = channel.receive()) {
    WorkerRequest request;
    read(*message, request, {});
    if (!channel.send(value_of(safe_answer(bench, open, request)))) return;
  }
}

}  // namespace trilane
