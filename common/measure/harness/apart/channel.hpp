// Messages between two processes.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <utility>

namespace trilane {

/// One end of a pair of connected sockets. Each message is a JSON value.
class Channel : boost::noncopyable {
 public:
  /// Takes ownership of the socket.
  explicit Channel(int socket) : socket_(socket) {}
  Channel(Channel&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  ~Channel();

  int socket() const { return socket_; }

  /// Tells the other end that no further message comes.
  void close();

  /// Returns false if the other end is gone.
  bool send(const boost::json::value& message);
  /// Waits for a message; returns nothing if the other end is gone. Throws Interrupted when a
  /// second signal asks this process to end at once.
  std::optional<boost::json::value> receive();

 private:
  bool read_all(char* bytes, std::size_t count);

  int socket_;
};

/// Returns two connected ends, closed on exec. Throws NotPossible.
std::pair<Channel, Channel> make_channels();

}  // namespace trilane
