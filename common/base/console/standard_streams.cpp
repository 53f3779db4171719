#include "common/base/console/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace trilane {

void secure_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free number, which is this one.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
}

}  // namespace trilane
