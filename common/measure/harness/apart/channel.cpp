#include "common/measure/harness/apart/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

Channel::~Channel() { close(); }

void Channel::close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool Channel::send(const boost::json::value& message) {
  const std::string text = boost::json::serialize(message);
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += text;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::read_all(char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(socket_, bytes, count);
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

}  // namespace trilane
