#include "tests/device/simulator/orders/all_orders.hpp"

#include "common/model/workload/data/contents.hpp"
#include "tests/device/simulator/timing/choices.hpp"

namespace trilane::simulator {

namespace {

Settings fresh() {
  Settings settings;
  settings.profile = built_in_profile();
  return settings;
}

/// Restarts the machine before the first buffer is taken from it.
const Workload& on_a_fresh_machine(const Workload& workload) {
  restart(fresh());
  return workload;
}

}  // namespace

Passes::Passes(const VariantEntry& entry, const Workload& workload)
    : reference_(on_a_fresh_machine(workload), 1),
      in_(make_pinned_buffer(layout_of(workload).in_bytes)),
      out_(make_pinned_buffer(layout_of(workload).out_bytes)),
      expected_(layout_of(workload).out_bytes),
      job_(workload, in_.get(), out_.get()),
      origin_(make_stream()),
      variant_(entry.make(job_)) {
  machine().on_execute = [this](const Operation& operation) { executed(operation); };
}

Passes::~Passes() { machine().on_execute = nullptr; }

Pass Passes::run(std::unique_ptr<Draw> draw) {
  Machine& m = machine();
  m.draw = std::move(draw);
  issued_before_ = m.issued;
  executed_ = order_ = 0;
  last_of_.clear();
  reference_.draw(in_.get(), expected_.data());
  poison(out_.get(), expected_.size(), expected_.data());
  variant_->submit(origin_.get());
  check(cudaStreamSynchronize(origin_.get()));
  return {order_, what_is_wrong()};
}

/// Checks an operation against the rules here, without asking the schedule: it must follow what it
/// waits for, and what its stream got before it. Nodes of a graph have an order of their own,
/// copies of a batch have none among themselves.
void Passes::executed(const Operation& operation) {
  ++executed_;
  order_ = (order_ ^ (operation.number - issued_before_)) * 0x9e3779b97f4a7c15;
  order_ ^= order_ >> 32;
  const bool waited =
      std::ranges::all_of(operation.after, [](const OperationPtr& before) { return before->done; });
  std::uint64_t& last = last_of_[operation.stream];
  const bool is_batched = operation.task->batched.has_value();
  const bool in_order = operation.launch != 0 || is_batched || last < operation.number;
  last = is_batched ? std::max(last, operation.number) : operation.number;
  if (!waited || !in_order) illegal_ = describe(operation) + " ran too early";
}

std::string Passes::what_is_wrong() {
  Machine& m = machine();
  if (!illegal_.empty()) return std::exchange(illegal_, {});
  if (executed_ != m.issued - issued_before_) {
    return fmt::format("{} of {} operations ran", executed_, m.issued - issued_before_);
  }
  if (!m.hazards.reports().empty()) {
    const Report report = m.hazards.reports().front();
    m.hazards.clear();
    return name_of(report.hazard) + ": " + report.text;
  }
  if (take_gaps(job_.workload, out_.get(), expected_.data()) > 0) return "wrote between chunks";
  const auto mismatch = compare(out_.get(), expected_.data(), expected_.size());
  return mismatch ? fmt::format("wrong data at byte {}", mismatch->offset) : "";
}

Orders enumerate(Passes& passes, std::size_t limit) {
  Orders orders;
  const auto choices = std::make_shared<Choices>();
  do {
    const Pass pass = passes.run(std::make_unique<ChosenDraw>(choices));
    ++orders.passes;
    orders.distinct.insert(pass.order);
    orders.wrong = pass.wrong;
    orders.all = !choices->next();
  } while (!orders.all && orders.wrong.empty() && orders.distinct.size() < limit &&
           orders.passes < 10 * limit);
  return orders;
}

void sample(Passes& passes, std::size_t count, Orders& orders) {
  for (std::uint64_t seed = 1; seed <= count && orders.wrong.empty(); ++seed) {
    const Pass pass = passes.run(std::make_unique<RandomDraw>(seed));
    ++orders.passes;
    orders.distinct.insert(pass.order);
    if (!pass.wrong.empty()) orders.wrong = fmt::format("seed {}: {}", seed, pass.wrong);
  }
}

std::uint64_t orders_of_chains(const std::vector<std::uint64_t>& lengths, std::uint64_t most) {
  std::uint64_t orders = 1, operations = 0;
  for (const std::uint64_t length : lengths) {
    for (std::uint64_t i = 1; i <= length; ++i) {
      orders = orders * ++operations / i;
      if (orders >= most) return most;
    }
  }
  return orders;
}

}  // namespace trilane::simulator
