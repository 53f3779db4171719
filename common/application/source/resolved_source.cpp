#include <regex>

#include "common/application/source/debug_information.hpp"
#include "common/base/text/cpp_names.hpp"

namespace trilane {
namespace {

/// Files that are not the user's: in folders of the system, of packages, of Python's library, and
/// of headers of C++ and CUDA; stubs by nvcc; the interpreter, and modules that it contains.
const std::regex installed(
    R"(^/(lib|lib64|usr/(lib|lib64|include|local/(lib|include|cuda(-[0-9][^/]*)?))|opt/nvidia)/)"
    R"(|/(site-packages|dist-packages|lib/python3[.0-9]*|include/c[+][+]|x86_64-linux/include)/)"
    R"(|[.]cudafe1[.]stub[.]c|^<frozen |^linux-vdso)"
    R"(|(^|/)(python3[.0-9]*|libpython3[^/]*[.]so[^/]*)$)");
/// Functions without a line that come into a program with the static runtime, nvcc and C++.
const std::regex linked_in(
    "^(cuda|__cuda|libcudart_static_|__device_stub_|_start|std::|thrust::|cub::)");

bool is_installed(const std::string& path) { return std::regex_search(path, installed); }

class Resolver {
 public:
  explicit Resolver(RecordedSource& source) : source_(source) {}

  void resolve() {
    std::vector<std::vector<std::uint32_t>> places;
    for (const RecordedFrame& frame : source_.frames) {
      places.push_back(frame.module.empty() ? python(frame) : machine(frame));
    }
    for (RecordedStack& stack : source_.stacks) {
      std::vector<std::uint32_t> frames;
      for (const std::uint32_t frame : stack.frames) {
        frames.insert(frames.end(), places[frame].begin(), places[frame].end());
      }
      stack.frames = std::move(frames);
    }
    source_.frames = std::move(frames_);
  }

 private:
  std::uint32_t number_of(const RecordedFrame& frame) {
    const auto [known, added] = numbers_.emplace(frame, static_cast<std::uint32_t>(frames_.size()));
    if (added) frames_.push_back(frame);
    return known->second;
  }

  std::vector<std::uint32_t> python(RecordedFrame frame) {
    frame.own = !is_installed(frame.file);
    return {number_of(frame)};
  }

  std::vector<std::uint32_t> machine(RecordedFrame frame) {
    frame.own = !is_installed(frame.module);
    // Debug information of others takes time, and no place is named by it.
    if (!frame.own) return {number_of(frame)};
    const auto places =
        modules_.try_emplace(frame.module, frame.module).first->second.at(frame.offset);
    if (places.empty()) return {number_of(frame)};
    std::vector<std::uint32_t> all;
    for (const SourcePlace& place : places) {
      frame.function = place.function;
      frame.file = place.file;
      frame.line = place.line;
      if (frame.line > 0) frame.offset = 0;
      frame.own = place.line > 0 ? !is_installed(place.file)
                                 : !std::regex_search(place.function, linked_in);
      all.push_back(number_of(frame));
    }
    return all;
  }

  RecordedSource& source_;
  std::vector<RecordedFrame> frames_;
  std::map<RecordedFrame, std::uint32_t> numbers_;
  std::map<std::string, DebugInformation> modules_;
};

/// A launch calls a function with the kernel's name, which nvcc writes.
void disown_launchers(RecordedSource& source, const ApplicationRecording& recording) {
  for (const RecordedCall& call : recording.calls) {
    if (call.kind != CallKind::kernel || !call.stack) continue;
    const std::string kernel = qualified_name(recording.kernels[call.kernel].name);
    for (const std::uint32_t number : source.stacks[*call.stack].frames) {
      RecordedFrame& frame = source.frames[number];
      if (!frame.module.empty() && frame.function == kernel) frame.own = false;
    }
  }
}

/// The same without the kernel's name: such a function calls the stub by nvcc.
void disown_launchers(RecordedSource& source) {
  for (const RecordedStack& stack : source.stacks) {
    for (std::size_t i = 1; i < stack.frames.size(); ++i) {
      const bool stub = source.frames[stack.frames[i]].function.starts_with("__device_stub_");
      if (stub) source.frames[stack.frames[i - 1]].own = false;
    }
  }
}

std::size_t shared_frames(const std::vector<RecordedStack>& stacks) {
  if (stacks.empty()) return 0;
  const std::vector<std::uint32_t>& first = stacks.front().frames;
  std::size_t shared = first.size();
  for (const RecordedStack& stack : stacks) {
    const auto differs = std::mismatch(first.begin(), first.begin() + static_cast<long>(shared),
                                       stack.frames.begin(), stack.frames.end());
    shared = static_cast<std::size_t>(differs.first - first.begin());
  }
  return shared;
}

}  // namespace

void resolve_source(ApplicationRecording& recording, bool with_paths) {
  const auto resolve = [&](RecordedSource& source, auto disown) {
    Resolver(source).resolve();
    disown(source);
    source.shared = static_cast<std::uint32_t>(shared_frames(source.stacks));
    if (with_paths) return;
    for (RecordedFrame& frame : source.frames) {
      frame.file = base_name(frame.file);
      frame.module = base_name(frame.module);
    }
  };
  if (recording.source) {
    resolve(*recording.source, [&](auto& source) { disown_launchers(source, recording); });
  }
  if (recording.captures && recording.captures->audit) {
    resolve(recording.captures->audit->source, [](auto& source) { disown_launchers(source); });
  }
  if (recording.resources) {
    resolve(recording.resources->source, [](auto& source) { disown_launchers(source); });
  }
}

}  // namespace trilane
