// Host memory that processes share.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <cstddef>
#include <cstdint>

namespace trilane {

/// Zeroed memory that other processes can map, too, from the same file. It has no name.
class SharedMemory : boost::noncopyable {
 public:
  /// Makes it. Throws NotPossible if the system has none.
  explicit SharedMemory(std::uint64_t bytes);
  /// Maps that of another process, whose open file this process has inherited. Throws NotPossible.
  SharedMemory(int file, std::uint64_t bytes);
  ~SharedMemory();

  std::byte* get() const { return memory_; }
  std::uint64_t bytes() const { return bytes_; }
  int file() const { return file_; }  ///< for a child to inherit; closed on exec unless it says so

 private:
  std::uint64_t bytes_;
  int file_;
  std::byte* memory_ = nullptr;
};

}  // namespace trilane
