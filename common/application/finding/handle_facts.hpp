// Facts about kernels and streams from the surroundings. They are asked for at the first call that
// names a handle, since handles may be invalid at the program's end.
#pragma once

#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"

namespace trilane {

/// Numbers handles from 0, in the order in which they come. The threads of two iterations compare
/// equal by it.
class HandleNumbers {
 public:
  /// Returns the number, and true if it is new.
  std::pair<std::uint32_t, bool> of(std::uint64_t handle) {
    const auto [known, added] =
        numbers_.emplace(handle, static_cast<std::uint32_t>(numbers_.size()));
    return {known->second, added};
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

class HandleFacts {
 public:
  explicit HandleFacts(Surroundings& surroundings) : surroundings_(surroundings) {}

  void learn(const ObservedCall& call);
  void learn_stream(CallKind kind, std::uint64_t handle);
  /// Forgets the stream, all kernels, or these and all streams: a later call that names such a
  /// handle may mean another object. Calls learnt before can still be asked about.
  void stream_destroyed(std::uint64_t handle);
  void kernels_unloaded();
  void context_reset();

  /// Returns facts about a handle in a learnt call.
  const KernelFacts& kernel(std::uint64_t function) const { return kernels_.at(function).facts; }
  const RecordedStream& stream(std::uint64_t handle) const { return streams_.at(handle).facts; }

  /// Returns the streams that calls have named and that were not destroyed.
  std::vector<std::uint64_t> live_streams() const;

  std::string driver_name(std::uint32_t function) const {
    return surroundings_.driver_name(function);
  }
  std::string runtime_name(std::uint32_t function) const {
    return function == 0 ? "" : surroundings_.runtime_name(function);
  }
  /// Returns, for example, "cuLaunchKernel of scale, 4 x 1 x 1 blocks of 256 x 1 x 1 threads".
  std::string in_words(const ObservedCall& call) const;

 private:
  template <typename Facts>
  struct Known {
    Facts facts;
    bool lives = false;  ///< otherwise the handle may mean another object
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  void learn_kernel(std::uint64_t function);

  Surroundings& surroundings_;
  std::unordered_map<std::uint64_t, Known<KernelFacts>> kernels_;
  std::unordered_map<std::uint64_t, Known<RecordedStream>> streams_;
  std::uint64_t last_stream_ = none, last_kernel_ = none;
  std::uint64_t last_graph_ = 0;  ///< its number
};

}  // namespace trilane
