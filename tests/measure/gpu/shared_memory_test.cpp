#include "common/measure/gpu/host_buffer.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <boost/core/noncopyable.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdint>

#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(memory_of_several_processes)

namespace {

/// Limits the size of files to `bytes` while an instance exists. Exceeding the limit is then an
/// error, not a signal.
class FileLimit : boost::noncopyable {
 public:
  explicit FileLimit(std::uint64_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_one_writes_another_reads) {
  const SharedMemory ours(8192);
  const SharedMemory theirs(dup(ours.file()), 8192);
  BOOST_TEST((ours.get() != theirs.get()));
  ours.get()[8191] = std::byte{7};
  BOOST_TEST((theirs.get()[8191] == std::byte{7}));
}

BOOST_AUTO_TEST_CASE(memory_beyond_a_limit_names_the_limit) {
  const FileLimit limit(1 << 20);
  const SharedMemory within(1 << 20);
  const std::string beyond = refusal<NotPossible>([] { const SharedMemory one((1 << 20) + 1); });
  BOOST_TEST(contains(beyond, "raise the limit on the size of files (ulimit -f)"));
  const std::string most = refusal<NotPossible>([] { const SharedMemory one(INT64_MAX); });
  BOOST_TEST(contains(most, "cannot allocate"));
  BOOST_TEST(contains(most, "of shared memory"));
}

BOOST_AUTO_TEST_SUITE_END()
