#include "common/measure/ask/parts/beside_work.hpp"

namespace trilane {

std::string beside(const std::string& call, const std::string& work) {
  return call + " beside " + work;
}

std::string alone(const std::string& call) { return call + " alone"; }

BesideWork::BesideWork(std::string what, std::function<void(cudaStream_t)> enqueue)
    : what_(std::move(what)), enqueue_(std::move(enqueue)) {}

double BesideWork::call_us(const TriedCall& call, bool beside) const {
  call.before();
  if (beside) enqueue_(stream());
  const double us = timed_us(call.call);
  check(cudaDeviceSynchronize());
  call.after();
  return us;
}

std::vector<Condition> BesideWork::conditions(const std::vector<TriedCall>& calls) const {
  std::vector<Condition> all{work()};
  for (const TriedCall& call : calls) {
    all.push_back({alone(call.name), [this, call] { return call_us(call, false); }});
    all.push_back(beside_work(call));
  }
  return all;
}

Condition BesideWork::work() const {
  return {what_, [this] {
            return timed_us([this] {
              enqueue_(stream());
              check(cudaStreamSynchronize(stream()));
            });
          }};
}

Condition BesideWork::beside_work(const TriedCall& call) const {
  TriedCall waiting = call;
  waiting.call = [call] {
    call.call();
    check(cudaDeviceSynchronize());
  };
  return {beside(call.name, what_),
          [this, call] { return call_us(call, true); },
          {[this, call] { return call_us(call, false); },
           [this, waiting] { return call_us(waiting, true); }}};
}

std::optional<bool> waits(const Readings& r, const std::string& call, const std::string& what) {
  const auto more_us = [&](double q) {
    return r.at(beside(call, what), q) - r.median(alone(call));
  };
  return decided(more_us(0.25) > r.median(what) / 2, more_us(0.75) < r.median(what) / 10);
}

std::string times_of(const Readings& r, const std::string& call, const std::string& what) {
  return fmt::format("{} takes {} beside {} of {}, {} alone", call, r.time(beside(call, what)),
                     what, r.time(what), r.time(alone(call)));
}

Conclusion whether_they_wait(const Readings& readings, const std::vector<std::string>& calls,
                             const std::string& what) {
  Conclusion conclusion;
  for (const std::string& call : calls) {
    conclusion.add(call, waits(readings, call, what), times_of(readings, call, what));
  }
  return conclusion;
}

}  // namespace trilane
