// Decides when the listener leaves the application, and whether CUPTI leaves with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/application/finding/stages/listening_instruments.hpp"

namespace trilane {

/// Returns true if no work that CUPTI has yet to record is pending when the call returns.
bool ends_work(const ObservedCall& call);
/// Returns true if there is an iteration and it has such a call.
bool has_end_of_work(const ObservedIteration* iteration);

/// The tracer's result: whole iterations until it was stopped with the device idle, or not.
enum class Trace : std::uint8_t { none, under_way, clean, broken };

class Departure {
 public:
  /// All must outlive this object.
  Departure(ApplicationRecorder& recorder, ListeningInstruments& instruments,
            const StagedReplay& replay);

  Trace trace() const { return trace_; }
  void set_trace(Trace trace) { trace_ = trace; }

  /// Ends listening, because everything possible is known. The listener leaves when this call
  /// returns, or after a later call that lets CUPTI leave, if there is one.
  void begin();

  /// The task of the next callback at the return of a call.
  enum class Order : std::uint8_t { none, leave, end_application };
  Order order() const { return order_; }
  /// Returns true for one caller after an order.
  bool take_order() { return order_.exchange(Order::none) != Order::none; }
  /// Returns true if the listener leaves at this call.
  bool is_due() const;

  /// Stops all callbacks while a replay is measured. Returns true if CUPTI has left; otherwise it
  /// leaves at a later call, if it can.
  bool pause();
  /// Ends the subscription, and takes CUPTI out of the process if it can leave. Returns true if it
  /// has left.
  bool release();

 private:
  bool cupti_can_leave() const;

  ApplicationRecorder& recorder_;
  ListeningInstruments& instruments_;
  const StagedReplay& replay_;
  std::atomic<Order> order_{Order::none};
  Trace trace_ = Trace::none;
  double leave_by_us_ = 0;  ///< with Order::leave
};

}  // namespace trilane
