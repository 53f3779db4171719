// Host memory that processes share.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <cstddef>
#include <cstdint>

namespace trilane {

/// Zeroed, nameless memory that other processes can map from the same file.
class SharedMemory : boost::noncopyable {
 public:
  /// Creates it. Throws NotPossible if the system has no memory for it.
  explicit SharedMemory(std::uint64_t bytes);
  /// Maps the memory of another process, whose open file this process has inherited. Throws
  /// NotPossible.
  SharedMemory(int file, std::uint64_t bytes);
  ~SharedMemory();

  std::byte* get() const { return memory_; }
  std::uint64_t bytes() const { return bytes_; }
  int file() const {
    return file_;
  }  ///< for a child to inherit; closed on exec unless the child
     ///< prevents that

 private:
  std::uint64_t bytes_;
  int file_;
  std::byte* memory_ = nullptr;
};

}  // namespace trilane
