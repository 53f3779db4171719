// Host memory: shared by several processes, and the time that it takes.
#include "common/measure/gpu/host_buffer.hpp"

#include <unistd.h>

#include "common/base/text/exit_code.hpp"
#include "tests/base/file_limit.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(host_buffers)

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

BOOST_AUTO_TEST_CASE(host_memory_is_estimated_from_what_this_host_does_now) {
  BOOST_TEST(host_memory_seconds(1 << 20) == 0);
  const double seconds = host_memory_seconds(std::uint64_t{1} << 50);
  BOOST_TEST(std::isfinite(seconds));
  BOOST_TEST(seconds > 10);  // a PiB; memory faster than 200 TB/s does not exist
}

BOOST_AUTO_TEST_SUITE_END()
