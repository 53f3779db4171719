// A limit of the size of files, which simulates a full disk.
#pragma once

#include <sys/resource.h>

#include <boost/core/noncopyable.hpp>

#include "tests/framework.hpp"

namespace trilane {

/// Limits the size of files to `bytes` while an instance exists. Exceeding the limit is then an
/// error, not a signal.
struct FileLimit : boost::noncopyable {
  explicit FileLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit low{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }

  rlimit before{};
  void (*handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

}  // namespace trilane
