// Lists the driver's functions that the recorder listens to, and how each becomes an ObservedCall.
#pragma once

#include <cupti.h>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// The default stream of a function without one, or with handle 0.
enum class DefaultStream : std::uint8_t { none, legacy, per_thread };

/// The listener's own treatment of a call.
enum class Effect : std::uint8_t {
  observed,        ///< hands it over
  capture_begins,  ///< of a stream: its calls are not operations until it ends
  capture_ends,
  unloads,          ///< kernels, whose handles may be reused
  destroys_stream,  ///< a stream, whose handle may be reused
  resets,           ///< a context, with its streams and kernels
  prepares_graph,   ///< adds a node to a graph, or uploads an executable one
  loads,            ///< code; heard only if a capture makes it fail
  creates,          ///< a stream or a context; the same
};

/// The effect on an executable graph. `lost`: a node is set in a way that is not followed.
enum class GraphCall { none, made, uploaded, launched, updated, node_set, lost, released };

/// Reads the parameters of a call that has returned without an error. Of a begin of a capture also
/// after one: its mode becomes the `value`.
using Decode = void (*)(const void* parameters, ObservedCall& call);

/// Reads the members of a glance that the parameters contain.
using Glance = void (*)(const void* parameters, CallGlance& glance);

class ExecutableGraphs;

/// Notes what the call does to executable graphs, and in the call what they do now.
using GraphChange = void (*)(const void* parameters, ExecutableGraphs& graphs, ObservedCall& call);

struct ListenedCall {
  CUpti_CallbackId id;
  Decode decode = nullptr;  ///< null: there is nothing to read
  Glance glance = nullptr;  ///< the same
  CallKind kind = CallKind::other;
  DefaultStream stream = DefaultStream::none;
  const char* refusal = nullptr;
  bool batch = false;  ///< of copies
  Effect effect = Effect::observed;
  /// It makes untracked memory that kernels may reach, so no iteration can be replayed afterwards.
  bool lasts = false;
  GraphChange change = nullptr;  ///< null: it changes no graph
  GraphCall graph = GraphCall::none;
};

/// Returns the calls that launch something, and those that change graphs.
std::span<const ListenedCall> listened_launches();
/// Returns the calls that copy, set, allocate or free memory.
std::span<const ListenedCall> listened_memory();

/// Returns true if the call destroys streams, which is noted before it happens.
inline bool ends_streams(const ListenedCall& call) {
  return call.effect == Effect::destroys_stream || call.effect == Effect::resets;
}

/// Returns true if a glance tells enough of the call while nothing repeats.
bool is_glanced_at(const ListenedCall& call);

/// Returns the stream that the call works on if its parameters contain `handle`.
std::uint64_t stream_of(std::uint64_t handle, const ListenedCall& call);

/// Returns the call at a glance, without its thread.
CallGlance glance_of(const ListenedCall& call, const void* parameters);

/// Returns the attributes of a launch, from its parameters.
std::vector<CUlaunchAttribute> attributes_of(const ListenedCall& launch, const void* parameters);

/// Returns the call of that number; nullptr if it is not listened to.
const ListenedCall* listened_call(CUpti_CallbackId id);

/// Returns a handle or an address as a number.
template <typename T>
std::uint64_t number_of(T* handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}
inline std::uint64_t number_of(CUdeviceptr address) { return address; }

/// Returns the stream that the parameters name, or 0.
std::uint64_t stream_in(const auto& p) {
  if constexpr (requires { p.hStream; }) return number_of(p.hStream);
  return 0;
}

/// Reads the stream and the event, as far as the parameters name them.
void read_handles(const auto& p, ObservedCall& call) {
  call.stream = stream_in(p);
  if constexpr (requires { p.hEvent; }) call.event = number_of(p.hEvent);
}

/// As a Glance. A copy without a stream returns when it is done.
template <typename Parameters>
void glance_at(const void* parameters, CallGlance& glance) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  if constexpr (requires { p.config; }) {
    glance.stream = number_of(p.config->hStream);
  } else {
    glance.stream = stream_in(p);
    glance.waits = glance.kind == CallKind::copy && !requires { p.hStream; };
  }
  if constexpr (requires { p.f; }) glance.kernel = number_of(p.f);
}

/// Calls `read` with the parameters as what they are.
template <typename Parameters, auto read>
void typed(const void* parameters, auto&... rest) {
  read(*static_cast<const Parameters*>(parameters), rest...);
}

}  // namespace trilane

/// The number of a driver function, and what reads its parameters.
#define TRILANE_CALL(function, decode)                                                     \
  CUPTI_DRIVER_TRACE_CBID_##function, typed<function##_params, decode<function##_params>>, \
      glance_at<function##_params>

/// Entries of a function that takes handle 0 as the default stream, and of its name in programs
/// built with a default stream per thread. More arguments: the members from ListenedCall::refusal
/// on. Without TRILANE_CALL, in whose argument macros of cuda.h would replace names.
#define TRILANE_CALLS(function, suffix, decode, kind, ...)                                  \
  {CUPTI_DRIVER_TRACE_CBID_##function, typed<function##_params, decode<function##_params>>, \
   glance_at<function##_params>, kind, DefaultStream::legacy __VA_OPT__(, ) __VA_ARGS__},   \
  {                                                                                         \
    CUPTI_DRIVER_TRACE_CBID_##function##suffix,                                             \
        typed<function##suffix##_params, decode<function##suffix##_params>>,                \
        glance_at<function##suffix##_params>, kind,                                         \
        DefaultStream::per_thread __VA_OPT__(, ) __VA_ARGS__                                \
  }
