#include "common/application/recorder/listening/listener.hpp"

#include "common/application/iteration/observed_call.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/cuda/cupti.hpp"

namespace trilane {
namespace {

constexpr auto other_subscriber = RecorderProblem::other_subscriber;

/// Returns true unless the call has failed, or could only have done so, for reasons of its own.
bool matters(const ListenedCall& what, CUresult code) {
  if (code == CUDA_SUCCESS) return what.effect != Effect::loads && what.effect != Effect::creates;
  return is_of_capture(code) || what.effect == Effect::capture_ends;
}

/// Takes the stamps of a call that measures the cost of listening.
void take_sample(const CUpti_CallbackData& call) {
  if (call.callbackSite == CUPTI_API_ENTER) return this_thread.samples->begins(recorder_now_us());
  const double end_us = recorder_now_us();
  this_thread.samples->ends(end_us, recorder_now_us());
}

}  // namespace

Listener::Listener(RecorderStatus& page, const RecorderSettings& settings, std::string path,
                   std::string replay_path, const ReplaySettings& replay)
    : page_(page),
      guard_(page),
      recorder_(surroundings_, settings),
      graphs_(settings.most_bytes, replay.skips_host_functions),
      captures_(recorder_),
      replay_(page, std::move(replay_path), replay, graphs_, modules_),
      instruments_(recorder_, graphs_, captures_),
      departure_(recorder_, instruments_, replay_),
      stages_(recorder_, instruments_, replay_, departure_, gate_, page,
              [this] {
                replay_.watches();
                writer_.write_soon();
              }),
      writer_(page, std::move(path), recorder_, resources_, guard_) {}

bool Listener::start() {
  bool waits = false;
  guard_.run([&] { waits = !subscribe() && page_.problem == other_subscriber; });
  if (waits) subscribes_ = without_signals([this] { wait_for_cupti(); });
  return waits || !guard_.silent();
}

/// Returns true if it listens now.
bool Listener::subscribe() {
  Subscription& subscription = instruments_.subscription();
  CUptiResult code = CUPTI_SUCCESS;
  try {
    code = subscription.begin(&Listener::called, this);
  } catch (const NotPossible& error) {
    note_problem(page_, RecorderProblem::no_cupti, error.what());
    return false;
  }
  if (code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    note_problem(page_, other_subscriber, "");
    return false;
  }
  if (code != CUPTI_SUCCESS) {
    const char* words = nullptr;
    cupti().get_result_string(code, &words);
    note_problem(page_, RecorderProblem::cupti_failed, words == nullptr ? "" : words);
    return false;
  }
  subscription.enable_all();
  if (!replay_.is_over()) subscription.enable_modules();
  guard_.set_silent(false);
  return true;
}

/// The other tool may take CUPTI out of the process just after it has left, and this subscription
/// with it. So it counts once another one is refused.
void Listener::wait_for_cupti() {
  // A snapshot would lack what was allocated before.
  replay_.refuses("cuptiSubscribe", "another tool had CUPTI when the application began");
  for (bool listens = false; !ending_;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const bool listened = std::exchange(listens, false);
    const auto try_again = [&] { listens = subscribe(); };
    listened ? guard_.run_locked(try_again) : guard_.run(try_again);
    const bool waited = page_.problem == other_subscriber;
    if ((listens || listened) && waited) page_.problem = RecorderProblem::none;
    if (listened && !listens) return;
  }
}

void Listener::finish() {
  if (in_child_) return;  // the thread that waits is not there
  ending_ = true;
  if (subscribes_.joinable()) subscribes_.join();
  gate_.open();
  if (guard_.silent() && !guard_.left()) return;
  guard_.run([&] {
    writer_.end();
    if (!guard_.left()) {
      const auto lock = guard_.lock_soon();
      if (!lock) return;
      guard_.set_silent(true);
      captures_.application_ends();
      replay_.application_ends(recorder_);
      instruments_.end();
    }
    // A process that only asked for the device leaves its place to one that uses it.
    if (page_.calls == 0) {
      page_.recorded = 0;
    } else {
      writer_.write();
    }
    page_.finished = 1;
  });
}

void Listener::range_begins(const char* name) {
  if (guard_.silent()) return;
  guard_.run_locked([&] { stages_.range_begins(name, recorder_now_us()); });
}

void Listener::range_ends() {
  if (guard_.silent()) return;
  guard_.run_locked([&] { stages_.range_ends(recorder_now_us()); });
}

void CUPTIAPI Listener::called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data) {
  auto& listener = *static_cast<Listener*>(self);
  if (listener.gate_.is_closed() && domain != CUPTI_CB_DOMAIN_RESOURCE) {
    listener.hold_back(*static_cast<const CUpti_CallbackData*>(data));
  }
  if (listener.guard_.silent()) return;
  // The recorder's own queries may load a module of the application, too.
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    listener.guard_.run(
        [&] { listener.module_changed(id, *static_cast<const CUpti_ResourceData*>(data)); });
    return;
  }
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  ThreadState& thread = this_thread;
  if (thread.own) {
    if (thread.samples != nullptr) take_sample(call);
    return;
  }
  thread.ended_work = false;
  const bool outside = listener.hear(domain, id, call, thread);
  if (outside && listener.departure_.order() != Departure::Order::none) listener.obey();
}

/// A thread that waits here is in no function of the driver and holds no lock of the listener.
void Listener::hold_back(const CUpti_CallbackData& call) {
  const bool within = this_thread.time.is_inside(instruments_.era());
  if (call.callbackSite != CUPTI_API_ENTER || this_thread.own || within) return;
  gate_.pass(CallingThreads::number());
}

/// Does not lock, because the thread may hold the lock.
void Listener::module_changed(CUpti_CallbackId id, const CUpti_ResourceData& data) {
  const auto* const module = static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
  if (module == nullptr) return;
  if (id == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING) {
    return modules_.unloaded(module->moduleId);
  }
  const auto* const code = reinterpret_cast<const std::byte*>(module->pCubin);
  modules_.loaded(module->moduleId, {code, code == nullptr ? 0 : module->cubinSize});
}

/// Returns true if the thread has just left the driver.
bool Listener::hear(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                    const CUpti_CallbackData& call, ThreadState& thread) {
  const bool entry = call.callbackSite == CUPTI_API_ENTER;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    ThreadTime& time = thread.time;
    const std::uint32_t era = instruments_.era();
    instruments_.note(thread);
    const double now_us = recorder_now_us();
    entry ? time.runtime_enters(era, id, now_us) : time.runtime_returns(era, now_us);
    return false;
  }
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return false;
  if (!entry) return returns(id, call, thread);
  enters(id, call, thread);
  return false;
}

/// Takes the destruction of a stream before it happens: another thread may ask about the stream.
void Listener::enters(CUpti_CallbackId id, const CUpti_CallbackData& call, ThreadState& thread) {
  const std::uint32_t era = instruments_.era();
  instruments_.note(thread);
  const ListenedCall* const what = listened_call(id);
  if (what != nullptr && ends_streams(*what)) {
    guard_.run_locked([&] {
      captures_.changed({*what, call_of(*what, call, {}, thread), CUDA_SUCCESS, era});
      if (what->effect == Effect::resets) resources_.pools().missed();
    });
  }
  if (!thread.time.enters(era)) return;
  if (what != nullptr && captures_.any()) captures_.enters(*what, call.functionParams);
  if (stages_.is_capturing()) {
    guard_.run_locked([&] {
      const bool belongs =
          what != nullptr && replay_.is_capturing() && recorder_.may_take(thread.number);
      if (belongs) replay_.enters(*what, call.functionParams);
    });
  }
  const bool of_graphs = what != nullptr && what->graph != GraphCall::none;
  if (of_graphs) {
    guard_.run_locked(
        [&] { resources_.graphs().enters(*what, call.functionParams, captures_.any()); }, thread);
  }
  if (of_graphs || !recorder_.glances()) thread.time.begins(recorder_now_us());
}

/// Returns true if it was the outermost call.
bool Listener::returns(CUpti_CallbackId id, const CUpti_CallbackData& call, ThreadState& thread) {
  ThreadTime& time = thread.time;
  if (!time.returns(instruments_.era())) return false;
  const ListenedCall* const what = listened_call(id);
  const auto result = static_cast<const CUresult*>(call.functionReturnValue);
  const CUresult code = result == nullptr ? CUDA_ERROR_UNKNOWN : *result;
  const bool enough = recorder_.glances() && what != nullptr && code == CUDA_SUCCESS;
  const bool glanced = enough && is_glanced_at(*what) && !captures_.any();
  if (glanced && !resources_.pools().hears(what->kind, 0)) {
    glance(*what, call, thread);
    return true;
  }
  const double end_us = recorder_now_us();
  if (what == nullptr || !matters(*what, code)) {
    time.listened(false, end_us, end_us);
    return true;
  }
  const bool observed = what->effect == Effect::observed && code == CUDA_SUCCESS;
  const bool captured = observed && captures_.any() && is_captured(*what, call, thread);
  const bool grows = observed && !captured && pool_grows(*what, call, thread);
  const TakenStack stack = stack_of(*what, code, captured, grows, thread);
  bool kept = false;
  const auto take = [&] {
    if (observed) {
      kept = observe(*what, call, end_us, captured, stack, thread);
    } else if (what->effect == Effect::prepares_graph && code == CUDA_SUCCESS) {
      ObservedCall prepares;
      change_graphs(*what, call.functionParams, prepares);
    } else if (code != CUDA_SUCCESS || !ends_streams(*what)) {
      const ObservedCall changes = call_of(*what, call, stack, thread);
      captures_.changed({*what, changes, code, instruments_.era()});
    }
  };
  guard_.run_locked(take, thread);
  time.listened(kept, end_us, recorder_now_us());
  return true;
}

/// Does not need the lock, and asks the driver.
bool Listener::is_captured(const ListenedCall& what, const CUpti_CallbackData& data,
                           ThreadState& thread) {
  if (what.stream == DefaultStream::none) return false;
  bool captured = false;
  guard_.run([&] { captured = captures_.is_captured(glance_of(what, data.functionParams).stream); },
             thread);
  return captured;
}

/// Returns true if it is an allocation that made its pool grow.
bool Listener::pool_grows(const ListenedCall& what, const CUpti_CallbackData& data,
                          ThreadState& thread) {
  if (what.kind != CallKind::allocate_async || captures_.any()) return false;
  bool grows = false;
  const auto ask = [&] {
    if (recorder_.watches() && !replay_.is_capturing()) return;
    ObservedCall call{.kind = what.kind, .thread = CallingThreads::number(thread)};
    what.decode(data.functionParams, call);
    call.stream = stream_of(call.stream, what);
    grows = resources_.pools().grows(call);
  };
  guard_.run_locked(ask, thread);
  return grows;
}

/// Returns what a call that is not observed says: of one that failed only its stream can be read.
ObservedCall Listener::call_of(const ListenedCall& what, const CUpti_CallbackData& data,
                               const TakenStack& stack, ThreadState& thread) {
  ObservedCall call{.kind = what.kind,
                    .function = what.id,
                    .runtime = runtime_now(thread),
                    .thread = CallingThreads::number(thread),
                    .stack = stacks_.keep(stack)};
  if (what.effect == Effect::observed) {
    call.stream = glance_of(what, data.functionParams).stream;
    return call;
  }
  if (what.decode != nullptr) what.decode(data.functionParams, call);
  call.stream = stream_of(call.stream, what);
  return call;
}

void Listener::glance(const ListenedCall& what, const CUpti_CallbackData& data,
                      ThreadState& thread) {
  CallGlance call = glance_of(what, data.functionParams);
  call.thread = CallingThreads::number(thread);
  guard_.run([&] { recorder_.glance(call); }, thread);
  page_.calls.fetch_add(1, std::memory_order_relaxed);
  if (what.graph == GraphCall::none) return;
  ObservedCall launch{.begin_us = thread.time.begin_us(), .end_us = recorder_now_us()};
  guard_.run_locked([&] { change_graphs(what, data.functionParams, launch); }, thread);
}

/// Measures what the call has taken before the recorder clones the graph.
void Listener::change_graphs(const ListenedCall& what, const void* parameters, ObservedCall& call) {
  const std::uint64_t bytes = GraphCosts::taken();
  what.change == nullptr ? what.decode(parameters, call) : what.change(parameters, graphs_, call);
  if (what.graph == GraphCall::none) return;
  const bool whole = what.graph == GraphCall::made || what.graph == GraphCall::updated;
  const auto executable = reinterpret_cast<CUgraphExec>(call.executable);
  const auto content = whole ? graphs_.what_is_in(executable) : nullptr;
  resources_.graphs().note(what.graph, call, bytes, content ? content->nodes.size() : 0,
                           recorder_.watches() ? 0 : instruments_.era());
}

/// Returns where the application makes the call, in the one iteration in which that is asked, or if
/// it matters to a capture or a pool. Does not lock, see StackTaker.
TakenStack Listener::stack_of(const ListenedCall& what, CUresult code, bool captured, bool grows,
                              ThreadState& thread) {
  TakenStack stack;
  const bool of_iteration = what.effect == Effect::observed && what.kind != CallKind::query &&
                            recorder_.wants_stacks() &&
                            recorder_.may_take(CallingThreads::number(thread));
  if (of_iteration || grows || captures_.wants_stack(what, code, captured) ||
      (!recorder_.watches() && resources_.graphs().wants_stack(what, code))) {
    guard_.run([&] { stack = stacks_.take(); });
  }
  return stack;
}

/// Returns true if the recorder keeps it as a call of the application.
bool Listener::observe(const ListenedCall& what, const CUpti_CallbackData& data, double end_us,
                       bool captured, const TakenStack& stack, ThreadState& thread) {
  const ThreadTime& time = thread.time;
  ObservedCall call{.kind = what.kind,
                    .function = what.id,
                    .runtime = runtime_now(thread),
                    .context = number_of(data.context),
                    .thread = CallingThreads::number(thread),
                    .correlation = data.correlationId,
                    .stack = stacks_.keep(stack),
                    .refusal = what.refusal,
                    .lasts = what.lasts,
                    .begin_us = time.begin_us(),
                    .end_us = end_us,
                    .inside = time.inside(),
                    .before = time.before()};
  if (what.decode != nullptr) what.decode(data.functionParams, call);
  call.stream = stream_of(call.stream, what);
  if (captures_.any()) captures_.runs({what, call, CUDA_SUCCESS, instruments_.era()}, captured);
  if (captured) return false;
  PoolWatch& pools = resources_.pools();
  if (recorder_.watches() && !replay_.is_capturing()) {
    pools.missed();
  } else if (pools.hears(what.kind, call.stream)) {
    pools.took(call);
  }
  if (data.context != nullptr) writer_.use(data.context);
  if (what.lasts) replay_.refuses(surroundings_.driver_name(what.id), what.refusal);
  if (what.graph != GraphCall::none) change_graphs(what, data.functionParams, call);
  if (what.kind == CallKind::graph_launch &&
      (stages_.stage() != ListeningStage::watch || replay_.is_capturing())) {
    const auto executable = reinterpret_cast<CUgraphExec>(call.executable);
    call.graph = graphs_.what_is_in(executable);
    call.refusal = graphs_.refusal_of(executable);
  }
  thread.ended_work = ends_work(call);
  stages_.observe(call);
  if (replay_.is_capturing()) {
    if (recorder_.may_take(call.thread)) capture(what, data.functionParams, call);
  } else {
    stages_.call_ended(call.end_us);
  }
  return call.kind != CallKind::query;
}

/// Adds the call to the iteration that is captured, and replays the iteration once it is complete.
void Listener::capture(const ListenedCall& what, const void* parameters, const ObservedCall& call) {
  switch (replay_.returned(what, parameters, call)) {
    case IterationCapture::State::going: return;
    case IterationCapture::State::differs: return static_cast<void>(stages_.capture_ended(false));
    case IterationCapture::State::complete: break;
  }
  // Also after an exception, other threads go on.
  struct Opener {
    ThreadGate& gate;
    ~Opener() { gate.open(); }
  };
  if (!stages_.capture_ended(true)) return;
  const Opener opener{gate_};
  guard_.set_left(true);
  gate_.await_quiet();  // others may just be in the driver
  if (!stages_.traces_later()) recorder_.trace_nothing();
  resources_.pools().missed(true);
  recorder_.cupti_added(replay_.measure(recorder_, [this] { return departure_.pause(); }));
  guard_.set_left(!instruments_.subscription().lives());
  stages_.replayed();
}

/// Does what only a callback at the return of a call may do.
void Listener::obey() {
  switch (departure_.order()) {
    case Departure::Order::none: return;
    case Departure::Order::leave:
      return guard_.run([&] {
        // If another thread is already doing it, CUPTI may wait for this callback.
        const auto lock = guard_.lock_until([&] {
          return departure_.order() == Departure::Order::none ||
                 (guard_.silent() && !guard_.left());
        });
        if (!lock || !departure_.is_due() || !departure_.take_order()) return;
        guard_.set_left(true);
        departure_.release();
        graphs_.give_back();
        writer_.write_soon();
      });
    case Departure::Order::end_application:
      if (!departure_.take_order()) return;
      guard_.run([&] {
        writer_.end();
        writer_.write();
      });
      std::fflush(nullptr);
      page_.finished = 1;
      // Skips the application's exit handlers, which could wait for this very call to return.
      std::_Exit(0);
  }
}

}  // namespace trilane
