// A program for the fake driver: makes its calls, and has them recorded and taken as the injected
// library does.
#pragma once

#include <list>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/replayed_iteration.hpp"
#include "common/application/replay/snapshot.hpp"
#include "common/base/text/exit_code.hpp"
#include "tests/application/replay/fake/fake_driver.hpp"
#include "tests/base/refusal.hpp"

namespace trilane::fake {

/// An iteration with the memory's content at its beginning.
struct Taken {
  TakenIteration iteration;
  Snapshot before;
};

class Program {
 public:
  /// Begins with a new driver.
  Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  // A program's set-up. `body` gets the kernel's parameters, words of eight bytes each.
  std::uint64_t device(std::size_t bytes);
  std::uint64_t pinned(std::size_t bytes);
  std::uint64_t pageable(std::size_t bytes);
  CUstream stream(unsigned flags = CU_STREAM_NON_BLOCKING, int priority = 0);
  CUevent event();
  CUmemoryPool pool(std::uint64_t threshold);
  Kernel& kernel(std::size_t parameters, std::function<void(const Kernel::Words&)> body);

  // The calls of an iteration. Stream null: the legacy default stream.
  void launch(Kernel& kernel, Kernel::Words words, CUstream stream,
              std::vector<CUlaunchAttribute> attributes = {});
  void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes, CUstream stream);
  /// The second and later copies have other attributes than the first.
  void copy_batch(std::vector<ObservedBatch::Copy> copies, CUstream stream);
  void copy_and_wait(std::uint64_t to, std::uint64_t from, std::size_t bytes);
  /// Copies rows of a plane; `to_pitch` and `from_pitch` are the distances of their beginnings.
  void copy_rows(std::uint64_t to, std::size_t to_pitch, std::uint64_t from, std::size_t from_pitch,
                 std::size_t width, std::size_t height, CUstream stream);
  /// Copies `depth` slices of two packed rows each to slices that begin `to_rows` rows apart.
  void copy_slices(std::uint64_t to, std::size_t to_rows, std::uint64_t from, std::size_t width,
                   std::size_t depth, CUstream stream);
  void memset(std::uint64_t to, std::uint32_t value, std::uint32_t value_bytes, std::size_t bytes,
              CUstream stream);
  /// Does nothing when it runs.
  void host_function(CUstream stream);
  void record(CUevent event, CUstream stream);
  void wait(CUstream stream, CUevent event);
  void synchronize(CUstream stream);
  void wait_for(CUevent event);
  void synchronize();
  std::uint64_t allocate(std::size_t bytes);
  void free(std::uint64_t address);
  /// Allocates in stream order. Pool null: the device's current one.
  std::uint64_t allocate(std::size_t bytes, CUmemoryPool pool, CUstream stream);
  void free(std::uint64_t address, CUstream stream);
  /// Launches an executable graph with that content, which the driver does not clone.
  void launch_as_it_is(CUgraphExec graph, std::shared_ptr<const ObservedGraph> content,
                       CUstream stream);

  /// Records `iteration`, which gets the number of the turn, until it is found, and takes the next
  /// one. Memory then holds its result.
  Taken take(const std::function<void(std::uint32_t)>& iteration);

 private:
  struct Facts;
  struct Over {};  // the iteration is taken

  void made(ObservedCall call, const char* name);
  void begin_taking();

  std::unique_ptr<Facts> facts_;
  ApplicationRecorder recorder_;
  TakenIteration taken_;
  std::optional<Snapshot> before_;               // from when an iteration is taken on
  std::vector<std::vector<std::byte>> sources_;  // of a copy that is being made
  std::vector<CUlaunchAttribute> attributes_;    // of a launch
  std::shared_ptr<TakenGraph> graph_;            // that is being launched
  double now_us_ = 0;
  std::list<Kernel> kernels_;
  std::list<std::vector<std::byte>> pageable_;
};

/// Returns the memory at an address as numbers.
inline std::uint64_t* numbers_at(std::uint64_t address) {
  return reinterpret_cast<std::uint64_t*>(address);
}

}  // namespace trilane::fake
