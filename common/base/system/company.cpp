#include "common/base/system/company.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace trilane {

/// The place of a member is three times the step that it has begun, one more once it has timed its
/// turn, and two more once it is done. Nobody begins a step before all have read who took part in
/// the one before.
struct Company::Shared {
  std::array<std::atomic<std::uint64_t>, most> places, took_part_in;
};

namespace {

constexpr std::uint64_t has_left = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

void* mapped(int file, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) fail();
  return memory;
}

}  // namespace

Company::Company(std::uint32_t members)
    : members_(members), number_(most), file_(memfd_create("trilane", MFD_CLOEXEC)) {
  if (!file_ || ftruncate(file_.get(), sizeof(Shared)) != 0) fail();
  shared_ = static_cast<Shared*>(mapped(file_.get(), sizeof(Shared)));
}

Company::Company(int file, std::uint32_t members, std::uint32_t number)
    : members_(std::min(members, most)),
      number_(number),
      file_(fcntl(file, F_DUPFD_CLOEXEC, 0)),
      shared_(static_cast<Shared*>(mapped(file, sizeof(Shared)))) {}

Company::~Company() { munmap(shared_, sizeof(Shared)); }

void Company::begin(std::uint64_t step, const std::function<void()>& wait) {
  reach(3 * step);
  while (!all_at(3 * step)) wait();
}

void Company::done(std::uint64_t step, bool took_part) {
  if (shared_->places.at(number_) >= 3 * step + 2) return;
  if (took_part) shared_->took_part_in.at(number_) = step;
  reach(3 * step + 2);
}

bool Company::all_took_part(std::uint64_t step) const {
  const auto& last = shared_->took_part_in;
  return std::all_of(last.begin(), last.begin() + members_,
                     [&](const auto& one) { return one == step; });
}

void Company::leaves(std::uint32_t number) { shared_->places.at(number) = has_left; }

void Company::reach(std::uint64_t place) {
  std::atomic<std::uint64_t>& mine = shared_->places.at(number_);
  if (mine < place) mine = place;
}

bool Company::all_at(std::uint64_t place) const {
  return std::all_of(shared_->places.begin(), shared_->places.begin() + members_,
                     [&](const auto& other) { return other >= place; });
}

}  // namespace trilane
