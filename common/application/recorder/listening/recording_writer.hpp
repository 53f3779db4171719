// Writes the recording while the application runs on, and at its end.
#pragma once

#include <cuda.h>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/recorder/listening/resource_watch.hpp"

namespace trilane {

class RecordingWriter {
 public:
  /// `path`: the file of the recording. All must outlive this object.
  RecordingWriter(RecorderStatus& page, std::string path, const ApplicationRecorder& recorder,
                  const ResourceWatch& resources, ListenerGuard& guard);

  /// Names a context for questions to the driver. Must be called under the guard's lock.
  void use(CUcontext context) { context_ = context; }
  /// Has a thread write the recording. Must be called whenever more is known.
  void write_soon();
  /// Ends that thread.
  void end();
  /// Writes the recording; notes in the page if it cannot.
  void write();

 private:
  void write_when_asked();

  RecorderStatus& page_;
  const std::string path_;
  const ApplicationRecorder& recorder_;
  const ResourceWatch& resources_;
  ListenerGuard& guard_;
  CUcontext context_ = nullptr;

  std::mutex waiting_;  // guards what follows
  std::thread thread_;
  std::condition_variable changed_;  ///< signals a change of these
  bool ending_ = false;
  std::uint32_t asked_ = 0;  ///< number of requests to write the recording
};

}  // namespace trilane
