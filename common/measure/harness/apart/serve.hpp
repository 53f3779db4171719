// The serving side in a variant's own process.
#pragma once

#include <functional>
#include <memory>

#include "common/measure/harness/apart/channel.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

/// Makes the bench of one variant, 0, for the workload with that number, whose kernels do `rounds`
/// rounds.
using OpenBench =
    std::function<std::unique_ptr<Bench>(std::uint32_t workload, std::uint32_t rounds)>;

/// Answers the requests of an ApartBench at the other end until that end is gone. An exception of
/// the bench becomes a failure answer.
void serve(Channel& channel, const OpenBench& open);

}  // namespace trilane
