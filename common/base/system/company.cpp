#include "common/base/system/company.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace trilane {

/// The place of a member is twice the step that it has reached, and one more once it has completed
/// the step. Absences are by the parity of the step: nobody is two steps ahead of another.
struct Company::Shared {
  std::array<std::atomic<std::uint64_t>, most> places;
  std::array<std::array<std::atomic<bool>, 2>, most> absent;
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
  shared_->places.at(number_) = 2 * step;
  while (!all_at(2 * step)) wait();
}

void Company::complete(std::uint64_t step, bool took_part) {
  if (shared_->places.at(number_) > 2 * step) return;
  shared_->absent.at(number_).at(step % 2) = !took_part;
  shared_->places.at(number_) = 2 * step + 1;
}

bool Company::others_work(std::uint64_t step) const { return !all_at(2 * step + 1); }

bool Company::all_took_part(std::uint64_t step) const {
  for (std::uint32_t member = 0; member < members_; ++member) {
    const bool left = shared_->places.at(member) == has_left;
    if (left || shared_->absent.at(member).at(step % 2)) return false;
  }
  return true;
}

void Company::leaves(std::uint32_t number) { shared_->places.at(number) = has_left; }

bool Company::all_at(std::uint64_t place) const {
  return std::all_of(shared_->places.begin(), shared_->places.begin() + members_,
                     [&](const auto& other) { return other >= place; });
}

}  // namespace trilane
