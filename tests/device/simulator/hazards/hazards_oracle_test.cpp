// Random programs, checked against the oracle.
#include "common/device/simulator/hazards/hazards.hpp"
#include "common/model/workload/random.hpp"
#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(hazards_against_an_oracle)

namespace {

using Id = std::size_t;  // number of an operation; 0: none

/// A hazard at one byte.
using Found = std::set<std::pair<Hazard, std::uintptr_t>>;

class HazardOracle {
 public:
  /// Adds an operation that follows those in `after`. Returns what is wrong with it.
  Found issue(const std::vector<Access>& accesses, const std::set<Id>& after) {
    std::set<Id> before = host_;
    for (const Id earlier : after) {
      before.insert(earlier);
      before.insert(before_[earlier].begin(), before_[earlier].end());
    }
    before_.push_back(before);
    found_.clear();
    for (const bool reading : {true, false}) {
      for (const auto& [range, touch, rows, pitch] : accesses) {  // of one row
        const bool reads = touch == Touch::read || touch == Touch::read_write;
        for (auto at = range.begin; at < range.end && reads == reading; ++at) apply(touch, at);
      }
    }
    return found_;
  }

  void host_waited_for(Id operation) {
    host_.insert(operation);
    host_.insert(before_[operation].begin(), before_[operation].end());
  }

  Found host_frees(const Range& range) {
    found_.clear();
    for (auto at = range.begin; at < range.end; ++at) {
      Byte& byte = bytes_[at];
      if (byte.life == Life::released) {
        found_.emplace(Hazard::double_free, at);
        continue;
      }
      for (const auto& [user, writes] : byte.uses) {
        if (!host_.contains(user)) found_.emplace(Hazard::free_before_last_use, at);
      }
      byte = {Life::released, false, 0, 0, {}};
    }
    return found_;
  }

  void allocated(const Range& range, Life life, bool written) {
    for (auto at = range.begin; at < range.end; ++at) bytes_[at] = {life, written, 0, 0, {}};
  }

  bool ordered(Id first, Id second) const {
    return first == 0 || first == second || before_[second].contains(first);
  }

 private:
  struct Byte {
    Life life = Life::allocated;
    bool written = false;
    Id allocator = 0, releaser = 0;
    std::vector<std::pair<Id, bool>> uses;  // of this life, and whether they write
  };

  void apply(Touch touch, std::uintptr_t at) {
    const Id self = before_.size() - 1;
    Byte& byte = bytes_[at];
    const auto finds = [&](Hazard hazard, bool wrong) {
      if (wrong) found_.emplace(hazard, at);
    };
    const auto any_unordered = [&](bool with_reads) {
      for (const auto& [user, writes] : byte.uses) {
        if ((writes || with_reads) && !ordered(user, self)) return true;
      }
      return false;
    };
    const bool allocated = byte.life == Life::allocated;
    const bool too_early = !allocated || !ordered(byte.allocator, self);
    if (touch == Touch::allocate) {
      finds(Hazard::unordered,
            any_unordered(true) || !ordered(byte.allocator, self) || !ordered(byte.releaser, self));
      byte = {Life::allocated, false, self, 0, {}};
    } else if (touch == Touch::release) {
      finds(Hazard::double_free, !allocated);
      finds(Hazard::use_before_allocation, allocated && too_early);
      finds(Hazard::free_before_last_use, allocated && any_unordered(true));
      if (allocated) byte.life = Life::released, byte.releaser = self;
    } else if (byte.life == Life::released) {
      finds(Hazard::use_after_free, true);
    } else {
      const bool writes = touch != Touch::read;
      finds(Hazard::use_before_allocation, too_early);
      if (!allocated) return;
      finds(Hazard::unordered, any_unordered(writes));
      finds(Hazard::uninitialised_read, touch != Touch::write && !byte.written);
      byte.uses.emplace_back(self, writes);
      byte.written = byte.written || writes;
    }
  }

  std::vector<std::set<Id>> before_{{}};  // for each operation, all its predecessors
  std::set<Id> host_;
  std::map<std::uintptr_t, Byte> bytes_;
  Found found_;
};

/// Returns what is reported, byte by byte. Each other operation that a report names must be
/// unordered.
Found take_found(Hazards& hazards, const HazardOracle& oracle) {
  static const std::regex pattern(
      "^.*?(?:operation (\\d+).*?)?(?:operation (\\d+).*)?: 0x([0-9a-f]+)-0x([0-9a-f]+) \\(.*$");
  Found found;
  for (const Report& report : hazards.reports()) {
    std::smatch parts;
    BOOST_TEST_REQUIRE(std::regex_match(report.text, parts, pattern), report.text);
    if (parts[2].matched && report.hazard != Hazard::use_after_free &&
        report.hazard != Hazard::double_free) {
      BOOST_TEST_REQUIRE(!oracle.ordered(std::stoul(parts[2]), std::stoul(parts[1])), report.text);
    }
    const auto end = std::stoul(parts[4], nullptr, 16);
    for (auto at = std::stoul(parts[3], nullptr, 16); at < end; ++at) {
      found.emplace(report.hazard, at);
    }
  }
  hazards.clear();
  return found;
}

/// A random program of up to 5 lanes on 48 bytes of each sort of memory.
class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed), lanes_(3 + random_.below(3)) {
    oracle_.allocated(device_.range, Life::allocated, false);
    oracle_.allocated(pool_.range, Life::reserved, false);
    oracle_.allocated(pinned_.range, Life::allocated, true);
    waits_in_ten_ = random_.below(11);
  }

  /// Takes one more step, mostly an operation. Returns the number of hazards.
  std::size_t step() {
    const std::uint64_t what = random_.below(40);
    if (what == 0 && !all_.empty()) return host_waits();
    if (what == 1) return host_frees();
    if (what == 2) return host_allocates();
    return issue();
  }

 private:
  std::string lane(std::uint64_t index) { return "stream " + std::to_string(index); }

  simulator::Range part(const Block& block) {
    const std::uint64_t begin = random_.below(48);
    return part_of(block, begin, 1 + random_.below(48 - begin));
  }

  std::vector<Access> accesses() {
    constexpr Touch uses[] = {Touch::read, Touch::write, Touch::read_write};
    // Mostly as a whole, or nearly nothing would be right.
    const std::uint64_t what = random_.below(10);
    const simulator::Range whole = random_.below(4) > 0 ? part_of(pool_, 0, 48) : part(pool_);
    if (what == 0) return {{whole, Touch::allocate}};
    if (what == 1) return {{whole, Touch::release}};
    std::vector<Access> made;
    for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) {
      const Block* const blocks[] = {&device_, &pool_, &pinned_};
      made.push_back({part(*blocks[random_.below(3)]), uses[random_.below(3)]});
    }
    return made;
  }

  std::size_t issue() {
    const std::string on = lane(random_.below(lanes_));
    for (std::uint64_t i = 0; i < lanes_; ++i) {
      if (random_.below(10) >= waits_in_ten_ || all_.empty()) continue;
      // Mostly the end of another lane, sometimes anything.
      const Frontier tail = device_side_.tails[lane(i)];
      const bool end = !tail.empty() && random_.below(4) > 0;
      device_side_.wait(on, end ? tail[0] : all_[random_.below(all_.size())]);
    }
    std::set<Id> after;
    for (const OperationPtr& earlier : device_side_.tails[on]) after.insert(earlier->number);
    const std::vector<Access> touched = accesses();
    all_.push_back(device_side_.issue(on, "work", touched));
    return compare(oracle_.issue(touched, after));
  }

  std::size_t host_waits() {
    const OperationPtr operation = all_[random_.below(all_.size())];
    device_side_.order.host_waited_for(*operation);
    oracle_.host_waited_for(operation->number);
    return 0;
  }

  std::size_t host_frees() {
    const simulator::Range range = part(device_);
    device_side_.hazards.released_by_host(range, device_side_.order, "cudaFree");
    return compare(oracle_.host_frees(range));
  }

  std::size_t host_allocates() {
    const simulator::Range range = part(device_);
    device_side_.hazards.allocated({range, Place::device, 0});
    oracle_.allocated(range, Life::allocated, false);
    return 0;
  }

  std::size_t compare(const Found& expected) {
    const Found found = take_found(device_side_.hazards, oracle_);
    BOOST_TEST_REQUIRE((found == expected));
    return expected.size();
  }

  Random random_;
  std::uint64_t lanes_, waits_in_ten_ = 0;
  Issuer device_side_;
  Block device_ = device_side_.allocate(48, Place::device);
  Block pool_ = device_side_.allocate(48, Place::pool);
  Block pinned_ = device_side_.allocate(48, Place::pinned);
  Frontier all_;
  HazardOracle oracle_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_bytes_are_found_by_a_check_that_keeps_everything) {
  std::size_t with = 0, without = 0;  // steps with and without hazards
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Program program(seed);
    for (int i = 0; i < 80; ++i) ++(program.step() > 0 ? with : without);
  }
  BOOST_TEST(with > 3000u);
  BOOST_TEST(without > 3000u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
