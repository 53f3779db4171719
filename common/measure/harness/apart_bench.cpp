#include "common/measure/harness/apart_bench.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "common/base/json/form.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {
namespace {

/// A request. The first two concern the process; each other one is the function of Bench with that
/// name.
BOOST_DEFINE_ENUM_CLASS(Ask,
                        start,  ///< answered as soon as the process can open a workload
                        open,   ///< a bench for the workload with the number `workload`
                        set_up, pass, turn, check, evidence, tear_down)

struct WorkerRequest {
  Ask ask{};
  std::uint32_t workload = 0, rounds = 0;  ///< for open: its number, and its kernels' rounds
  TurnPlan turn{};                         ///< for turn; its batch also for check
};
BOOST_DESCRIBE_STRUCT(WorkerRequest, (), (ask, workload, rounds, turn))

struct WorkerReply {
  Status status = Status::ok;  ///< otherwise the reason for a missing answer
  std::string text{};          ///< of the failure, or the findings of check()
  double us = 0;
  std::vector<Sample> samples{};
  std::vector<Count> evidence{};
};
BOOST_DESCRIBE_STRUCT(WorkerReply, (), (status, text, us, samples, evidence))
TRILANE_RANGES(WorkerReply, Within<&R::text>{text_range})

void throw_failure(const WorkerReply& reply) {
  switch (reply.status) {
    case Status::ok: return;
    case Status::out_of_memory: throw OutOfMemory(reply.text);
    case Status::not_supported: throw NotPossible(reply.text);
    case Status::not_run:
    case Status::failed: throw std::runtime_error(reply.text);
  }
}

/// Sends the request, waits, and throws if the answer is a failure.
WorkerReply ask(Workers& workers, std::size_t variant, const WorkerRequest& request) {
  stop_if_interrupted();
  Channel& channel = workers.channels[variant];
  channel.send(value_of(request));  // if it is gone, receive() reports it
  const auto message = channel.receive();
  if (!message) {
    throw std::runtime_error(
        fmt::format("the process of this variant {}", workers.how_it_ended(variant)));
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
} catch (const std::exception&) {
  const auto [status, text] = failure_of(std::current_exception());
  return {.status = status, .text = text};
}

}  // namespace

bool Channel::send(const boost::json::value& message) {
  const std::string text = boost::json::serialize(message);
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += text;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::read_all(char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(socket(), bytes, count);
    if (got < 0 && errno == EINTR) {
      if (must_end()) throw Interrupted();
      continue;
    }
    if (got <= 0) return false;
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<boost::json::value> Channel::receive() {
  std::uint64_t length = 0;
  if (!read_all(reinterpret_cast<char*>(&length), sizeof length)) return std::nullopt;
  std::string text(length, '\0');
  if (!read_all(text.data(), length)) return std::nullopt;
  return boost::json::parse(text);
}

std::pair<Channel, Channel> make_channels() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw NotPossible(std::string("no sockets between processes: ") + std::strerror(errno));
  }
  return {Channel(ends[0]), Channel(ends[1])};
}

void wait_for_start(Workers& workers) {
  for (Channel& channel : workers.channels)
    channel.send(value_of(WorkerRequest{.ask = Ask::start}));
  for (Channel& channel : workers.channels) channel.receive();
}

ApartBench::ApartBench(Workers& workers, std::uint32_t workload, std::uint32_t rounds,
                       std::function<void()> draw_input)
    : workers_(workers), workload_(workload), rounds_(rounds), draw_input_(std::move(draw_input)) {}

void ApartBench::new_input() { draw_input_(); }

double ApartBench::set_up(std::size_t variant) {
  ask(workers_, variant, {.ask = Ask::open, .workload = workload_, .rounds = rounds_});
  return ask(workers_, variant, {.ask = Ask::set_up}).us;
}

double ApartBench::pass(std::size_t variant) {
  return ask(workers_, variant, {.ask = Ask::pass}).us;
}

std::vector<Sample> ApartBench::turn(std::size_t variant, const TurnPlan& plan) {
  return ask(workers_, variant, {.ask = Ask::turn, .turn = plan}).samples;
}

std::string ApartBench::check(std::size_t variant, std::uint32_t batch) {
  return ask(workers_, variant, {.ask = Ask::check, .turn = {.batch = batch}}).text;
}

std::vector<Count> ApartBench::evidence(std::size_t variant) {
  return ask(workers_, variant, {.ask = Ask::evidence}).evidence;
}

double ApartBench::tear_down(std::size_t variant) {
  return ask(workers_, variant, {.ask = Ask::tear_down}).us;
}

double ApartBench::now() { return now_us(); }

void serve(Channel& channel, const OpenBench& open) {
  std::unique_ptr<Bench> bench;
  while (const auto message = channel.receive()) {
    WorkerRequest request;
    read(*message, request, {});
    if (!channel.send(value_of(safe_answer(bench, open, request)))) return;
  }
}

}  // namespace trilane
