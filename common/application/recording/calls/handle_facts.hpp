// What the surroundings say of kernels and streams, asked at the first call that names them: at the
// program's end the handles may be void.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "common/application/recording/observed_graph.hpp"
#include "common/application/recording/records/call_kinds.hpp"
#include "common/application/recording/surroundings.hpp"

namespace trilane {

class HandleFacts {
 public:
  explicit HandleFacts(Surroundings& surroundings) : surroundings_(surroundings) {}

  void learn(const ObservedCall& call);

  /// Facts about handles in a call that was learnt.
  const KernelFacts& kernel(std::uint64_t function) const { return kernels_.at(function); }
  const RecordedStream& stream(std::uint64_t handle) const { return streams_.at(handle); }

  std::string driver_name(std::uint32_t function) const;
  std::string runtime_name(std::uint32_t function) const;
  /// "cuLaunchKernel of scale, 4 x 1 x 1 blocks of 256 x 1 x 1 threads".
  std::string in_words(const ObservedCall& call) const;

 private:
  void learn_kernel(std::uint64_t function);

  Surroundings& surroundings_;
  std::unordered_map<std::uint64_t, KernelFacts> kernels_;
  std::unordered_map<std::uint64_t, RecordedStream> streams_;
  std::uint64_t last_stream_ = ~std::uint64_t{0}, last_kernel_ = ~std::uint64_t{0};
  std::uint64_t last_graph_ = 0;  ///< its number
};

}  // namespace trilane
