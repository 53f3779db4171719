// Runs the variants of a comparison in a process each. A process holds what a plain program of its
// variant would: no other variant's streams, graphs, modules or memory.
#pragma once

#include <boost/json/value.hpp>

#include "common/base/system/lock.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

/// One end of a pair of connected sockets. Each message is a JSON value.
class Channel {
 public:
  /// Takes ownership of the socket.
  explicit Channel(int socket) : socket_(socket) {}

  int socket() const { return socket_.get(); }

  /// Tells the other end that no further message comes.
  void close() { socket_ = OpenFile(); }

  /// Returns false if the other end is gone.
  bool send(const boost::json::value& message);
  /// Waits for a message; returns nothing if the other end is gone. Throws Interrupted when a
  /// second signal asks this process to end at once.
  std::optional<boost::json::value> receive();

 private:
  bool read_all(char* bytes, std::size_t count);

  OpenFile socket_;
};

/// Returns two connected ends, closed on exec. Throws NotPossible.
std::pair<Channel, Channel> make_channels();

/// The processes of a comparison's variants, in its order. They outlive their benches.
struct Workers {
  std::vector<Channel> channels;
  /// Returns how a variant's process ended, after its channel broke: "was ended by signal 9".
  std::function<std::string(std::size_t)> how_it_ended;
};

/// Waits until every reachable worker has started.
void wait_for_start(Workers& workers);

/// Asks one worker after the other, so that only one of them has work on the GPU. A failing worker
/// does not affect the others, which have GPU contexts of their own.
class ApartBench final : public Bench {
 public:
  /// A worker opens the workload when its variant is set up. `draw_input` draws into the shared
  /// memory, where a worker's check finds it.
  ApartBench(Workers& workers, std::uint32_t workload, std::uint32_t rounds,
             std::function<void()> draw_input);

  void new_input() override;
  double set_up(std::size_t variant) override;
  double pass(std::size_t variant) override;
  std::vector<Sample> turn(std::size_t variant, const TurnPlan& plan) override;
  std::string check(std::size_t variant, std::uint32_t batch) override;
  std::vector<Count> evidence(std::size_t variant) override;
  double tear_down(std::size_t variant) override;
  /// Returns false, because a sticky error affects only one worker.
  bool lost() override { return false; }
  double now() override;

 private:
  Workers& workers_;
  std::uint32_t workload_, rounds_;
  std::function<void()> draw_input_;
};

/// Makes the bench of one variant, 0, for the workload with that number, whose kernels do `rounds`
/// rounds.
using OpenBench =
    std::function<std::unique_ptr<Bench>(std::uint32_t workload, std::uint32_t rounds)>;

/// Answers the requests of an ApartBench at the other end until that end is gone. An exception of
/// the bench becomes a failure answer.
void serve(Channel& channel, const OpenBench& open);

}  // namespace trilane
