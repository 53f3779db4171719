#include "common/application/iteration/call_places.hpp"

#include <fmt/format.h>

namespace trilane {
namespace {

using Frames = std::span<const std::uint32_t>;

Frames frames_of(const ApplicationRecording& recording, const RecordedCall& call) {
  if (!recording.source || !call.stack) return {};
  return recording.source->stacks[*call.stack].frames;
}

/// Returns the last part of a qualified name, without template arguments: "step" for
/// "ns::step<int>" and for Python's "Model.step".
std::string short_name(const RecordedFrame& frame) {
  const std::string_view function = frame.function;
  if (frame.module.empty()) return std::string(function.substr(function.rfind('.') + 1));
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (depth == 0 && name.ends_with("::") && function.substr(i + 1) != "operator()") name.clear();
    if (c == '>' && depth > 0) --depth;
  }
  return name.empty() ? std::string(function) : name;
}

std::string words_of(const RecordedFrame& frame) {
  const std::string name = short_name(frame);
  if (frame.line > 0) {
    return fmt::format("{}:{}{}{}", base_name(frame.file), frame.line, name.empty() ? "" : " ",
                       name);
  }
  const std::string place = frame.module.empty()
                                ? base_name(frame.file)
                                : fmt::format("{}+{:#x}", base_name(frame.module), frame.offset);
  return name.empty() ? place : fmt::format("{} ({})", name, place);
}

/// Frames with a line say most, then those with a name.
int worth_of(const RecordedFrame& frame) {
  if (!frame.own) return 0;
  return frame.line > 0 ? 3 : frame.function.empty() ? 1 : 2;
}

/// Returns the user's frames among these of which most is known.
std::vector<const RecordedFrame*> telling(const RecordedSource& source, Frames frames) {
  std::vector<const RecordedFrame*> found;
  int worth = 1;
  for (const std::uint32_t number : frames) {
    const RecordedFrame& frame = source.frames[number];
    if (worth_of(frame) > worth) found.clear();
    worth = std::max(worth, worth_of(frame));
    if (worth_of(frame) == worth) found.push_back(&frame);
  }
  return found;
}

}  // namespace

std::string place_of(const ApplicationRecording& recording, std::size_t call) {
  const Frames all = frames_of(recording, recording.calls[call]);
  if (all.empty()) return fmt::format("call {}", call);
  const RecordedSource& source = *recording.source;
  const Frames apart = all.subspan(source.shared);
  auto frames = telling(source, apart);
  if (frames.empty()) {  // each call comes from one line of the user's
    const auto of_python = [&](std::uint32_t frame) {
      return source.frames[frame].module.empty() && source.frames[frame].line > 0;
    };
    const auto inner = std::ranges::find_if(apart.rbegin(), apart.rend(), of_python);
    if (inner != apart.rend()) return words_of(source.frames[*inner]);
    frames = telling(source, all);
  }
  if (frames.empty()) return fmt::format("call {}", call);
  const std::string outer = words_of(*frames.front()), inner = words_of(*frames.back());
  // Without names the inner one may be the CUDA runtime, linked into the program.
  return outer == inner || worth_of(*frames.back()) == 1 ? outer
                                                         : fmt::format("{} > {}", outer, inner);
}

}  // namespace trilane
