// A comparison with all kinds of variants, with and without prices.
#pragma once

#include "tests/model/made_up.hpp"

namespace trilane {

/// Returns three set-ups in which the capture takes three quarters, and four passes after each.
inline Price price_of(double setup_us, double pass_us) {
  Price price;
  for (const double factor : {0.9, 1.0, 1.2}) {
    price.setup_us.push_back(factor * setup_us);
    price.teardown_us.push_back(factor * setup_us / 10);
  }
  price.phases = {{"streams", {1, 1, 1}}, {"capture", {}}, {"other", {0, 0, 0}}};
  for (const double us : price.setup_us) price.phases[1].values.push_back(0.75 * us);
  price.passes_us = {std::vector(3, 1.5 * pass_us), std::vector(3, pass_us),
                     std::vector(3, pass_us), std::vector(3, pass_us)};
  price.device_bytes = {32768, 32768, 32768};
  return price;
}

inline Comparison of_every_kind() {
  auto serial = made_up("serial", 4100, 4100);
  serial.plan.blocks = true;
  Comparison comparison = made_up_comparison(
      {serial, made_up("streams", 1370, 1390), made_up("graph", 283, 480),
       made_up("pool", 1375, 1390),
       made_up("malloc", Status::failed, "wrong data: word 17 of chunk 3 is 0, must be 4711"),
       made_up("graph_pool", Status::not_supported, "this GPU has no memory pools")});
  comparison.limit = Limit{};
  comparison.limit->bound_us = 431;
  comparison.limit->kernels_us = 8.4;
  comparison.limit->steady_work_us = 6.25;
  comparison.regime = "host submission: holds, streams spends 98% of its time submitting";
  return comparison;
}

/// Sets the device's loss of free memory, and what the pool reports.
inline void keeps(Price& price, std::uint64_t held, std::uint64_t used, std::uint64_t reserved) {
  price.device_bytes = {held, held, held};
  price.pool_used_high_bytes = used;
  price.pool_reserved_high_bytes = reserved;
}

/// Returns the same with prices; the pool variants report their memory.
inline Comparison priced_of_every_kind() {
  Comparison comparison = of_every_kind();
  auto& all = comparison.measurements;
  all[1].price = price_of(50, 1390);
  all[2].price = price_of(2000, 480);
  all[2].break_even = BreakEven{Pays::later, 2.3, 2.1, 2.46, Crossing{15, 8, 2.5, 2.4, 2.6}};
  all[3].price = price_of(140, 1390);
  all[3].price->priming_us = {100, 110, 120};
  keeps(*all[3].price, 32 << 20, 8192, 32 << 20);
  all[3].break_even = BreakEven{Pays::at_first, 12, 3, std::nullopt, std::nullopt};
  return comparison;
}

}  // namespace trilane
