#include "common/application/finding/period_finder.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t base = 0x9e3779b97f4a7c15u;  // odd, so that none of its powers is 0
constexpr std::uint64_t first_room = 1024;
constexpr std::uint64_t first_z = 256;
constexpr std::uint64_t most_slots = std::uint64_t{1} << 17;
constexpr int samples = 4;

std::uint64_t slot_of(std::uint64_t symbol) {
  return (symbol * 0xd6e8feb86659fd93u) >> 32 & (most_slots - 1);
}

std::uint64_t power_of_base(std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t square = base; exponent > 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) result *= square;
  }
  return result;
}

}  // namespace

SymbolHistory::SymbolHistory(std::uint64_t most)
    : most_(most), mask_(std::min(most, first_room) - 1), entries_(mask_ + 1) {}

void SymbolHistory::add(std::uint64_t symbol) {
  if (size_ == entries_.size() && size_ < most_) grow();
  entries_[size_ & mask_] = {symbol, hash_};
  hash_ = hash_ * base + symbol;
  ++size_;
}

/// Until the first wrap every entry lies at its position, so that no entry moves.
void SymbolHistory::grow() {
  entries_.resize(2 * entries_.size());
  mask_ = entries_.size() - 1;
}

bool SymbolHistory::repeats(std::uint64_t distance, std::uint64_t length) const {
  const std::uint64_t power = power_of_base(length);
  const auto hash = [&](std::uint64_t end) {
    return hash_until(end) - hash_until(end - length) * power;
  };
  return hash(size_) == hash(size_ - distance);
}

PeriodFinder::PeriodFinder(std::uint64_t repetitions, std::uint64_t most, std::uint64_t whole)
    : repetitions_(repetitions),
      most_(most),
      whole_(whole),
      history_(most),
      latest_(most_slots),
      next_z_(std::min(first_z, most)) {}

std::uint64_t PeriodFinder::add(std::uint64_t symbol) {
  const std::uint64_t position = history_.size();
  history_.add(symbol);
  std::uint64_t candidate = occurrences(symbol, position);
  follow(position);
  std::uint64_t best = pinned_ != 0 && repeats(pinned_, pinned_ * repetitions_) ? pinned_ : 0;
  std::uint64_t distance = 0;
  for (int i = 0; i < chain && candidate != 0; ++i) {
    distance += candidate;
    if (distance >= most_ / repetitions_ || distance > position || (best != 0 && best <= distance))
      break;
    if (repeats(distance, distance * repetitions_)) {
      best = distance;
      break;
    }
    candidate = distance_[(position - distance) & (distance_.size() - 1)];
  }
  if (best == 0 && history_.size() >= next_z_) {
    next_z_ = history_.size() + std::min(history_.size(), most_) / 2;
    best = pinned_ = by_z();
  }
  // In a loop that was left, multiples of its period do not count as iterations either.
  return best != 0 && repeats(best, needed(best)) ? best : 0;
}

/// Notes an occurrence. Returns the distance to the previous one; 0: unknown.
std::uint64_t PeriodFinder::occurrences(std::uint64_t symbol, std::uint64_t position) {
  std::uint64_t& latest = latest_[slot_of(symbol)];
  std::uint64_t distance = 0;
  if (latest != 0 && latest - 1 >= history_.oldest() && history_.at(latest - 1) == symbol) {
    distance = position - (latest - 1);
  }
  latest = position + 1;
  if (position >= distance_.size() && distance_.size() < most_) {
    distance_.resize(std::max<std::uint64_t>(1024, 2 * distance_.size()));
  }
  return distance_[position & (distance_.size() - 1)] = distance;
}

void PeriodFinder::follow(std::uint64_t position) {
  const bool goes_on = running_ != 0 && history_.at(position) == history_.at(position - running_);
  if (goes_on) {
    ++run_;
    return;
  }
  const auto ended = run_until(position);
  if (ended && (!longest_ || ended->length() > longest_->length())) longest_ = ended;
  const std::uint64_t distance = distance_[position & (distance_.size() - 1)];
  running_ = distance < most_ / 2 ? distance : 0;
  run_ = 1;
}

/// Returns the run under way, if it holds enough whole repetitions.
std::optional<PeriodRun> PeriodFinder::run_until(std::uint64_t end) const {
  if (running_ == 0 || run_ < running_) return std::nullopt;
  std::uint64_t from = end - run_;
  while (from > history_.oldest() + running_ &&
         history_.at(from - 1) == history_.at(from - 1 - running_)) {
    --from;
  }
  const PeriodRun run{.period = running_, .from = from - running_, .at = end};
  return run.whole() >= whole_ ? std::optional(run) : std::nullopt;
}

std::optional<PeriodRun> PeriodFinder::nearest() const {
  std::optional<PeriodRun> lasting = run_until(history_.size());
  if (!lasting || (longest_ && longest_->length() >= lasting->length())) return longest_;
  lasting->lasts = true;
  return lasting;
}

std::uint64_t PeriodFinder::needed(std::uint64_t period) const {
  if (period > left_) return period * repetitions_;
  const std::uint64_t fit = std::max(repetitions_, most_ / 2 / period);
  return period * std::min(repetitions_ * factor_, fit);
}

bool PeriodFinder::repeats(std::uint64_t period, std::uint64_t length) const {
  if (history_.size() - history_.oldest() < length) return false;
  const std::uint64_t last = history_.size() - 1;
  // Most wrong candidates differ in one of these, which are cheaper to compare than hashes.
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t back = i < period ? i : 0;
    if (history_.at(last - back) != history_.at(last - back - period)) return false;
    if (history_.at(last) != history_.at(last - (i + 1) % repetitions_ * period)) return false;
  }
  return history_.repeats(period, length - period);
}

/// Z-function of the reversed sequence: z[d] is the length over which its end agrees with d before.
std::uint64_t PeriodFinder::by_z() const {
  const std::uint64_t size = history_.size(), length = size - history_.oldest();
  const auto at = [&](std::uint64_t back) { return history_.at(size - 1 - back); };
  std::vector<std::uint32_t> z(length);
  for (std::uint64_t d = 1, left = 0, right = 0; d < length; ++d) {
    std::uint64_t same = d < right ? std::min<std::uint64_t>(right - d, z[d - left]) : 0;
    while (d + same < length && at(same) == at(d + same)) ++same;
    z[d] = static_cast<std::uint32_t>(same);
    if (d + same > right) left = d, right = d + same;
    if (same + d >= d * repetitions_) return d;
  }
  return 0;
}

void PeriodFinder::left(std::uint64_t period) {
  left_ = std::max(left_, period);
  factor_ = std::min(factor_ * 4, most_);
  pinned_ = 0;
}

}  // namespace trilane
