// Shared by the injected library and the program that starts the application: the names of
// environment variables, and a small page that survives the application.
#pragma once

#include <sys/types.h>

#include "common/std.hpp"

namespace trilane {

/// Paths of the recording and of the shared page, and the NVTX range that is the iteration.
inline constexpr char recording_variable[] = "TRILANE_RECORDING";
inline constexpr char status_variable[] = "TRILANE_RECORDING_STATUS";
inline constexpr char range_variable[] = "TRILANE_RECORDING_RANGE";
/// The number of the only thread to record, from 1.
inline constexpr char thread_variable[] = "TRILANE_RECORDING_THREAD";
/// Set if the recording may hold the application's own data.
inline constexpr char data_variable[] = "TRILANE_RECORDING_DATA";
/// Limit of what the recorder keeps, in bytes.
inline constexpr char memory_variable[] = "TRILANE_RECORDING_MEMORY";
/// Path of the replay's record, its measuring time in seconds, and the size limit of a snapshot.
inline constexpr char replay_variable[] = "TRILANE_REPLAY";
inline constexpr char replay_seconds_variable[] = "TRILANE_REPLAY_SECONDS";
inline constexpr char replay_bytes_variable[] = "TRILANE_REPLAY_BYTES";
inline constexpr char replay_repeats_variable[] = "TRILANE_REPLAY_REPEATS";
/// Set if the replay leaves out host functions.
inline constexpr char replay_without_variable[] = "TRILANE_REPLAY_WITHOUT_HOST_FUNCTIONS";
/// Set if the application should end after the replay.
inline constexpr char replay_stop_variable[] = "TRILANE_REPLAY_STOP";

/// Reasons why the library does not listen.
enum class RecorderProblem : std::uint32_t {
  none,
  no_cupti,          ///< it could not be loaded, or lacks a function
  other_subscriber,  ///< a profiler or a sanitizer had CUPTI all the time
  cupti_failed,      ///< any other error of CUPTI
  failed,            ///< an error in the library itself
  not_written,       ///< the recording or the replay could not be written
};

/// The library's progress. Written without locks: the application may end at any time.
struct RecorderStatus {
  static constexpr std::uint32_t right_magic = 0x74726c73;
  static constexpr std::size_t most_words = 480;

  std::uint32_t magic = right_magic;
  std::atomic<std::uint32_t> loaded{0};   ///< processes that loaded the library
  std::atomic<std::int32_t> recorded{0};  ///< the recorded process; 0: none
  std::atomic<std::uint32_t> ignored{0};  ///< other processes that used CUDA
  std::atomic<RecorderProblem> problem{RecorderProblem::none};
  std::atomic<std::uint32_t> finished{0};  ///< 1: the application ended by exit
  std::atomic<std::uint64_t> calls{0};     ///< handed to the recorder
  std::atomic<std::uint64_t> watched{0};   ///< iterations that ended while only ends were watched
  char words[most_words] = {};             ///< about the problem, zero-terminated
};

}  // namespace trilane
