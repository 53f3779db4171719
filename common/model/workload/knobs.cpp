#include "common/model/workload/knobs.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

std::uint64_t ceil_div(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

std::string typed(std::uint64_t bytes) {
  constexpr std::array units{"", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes % 1024 == 0 && unit + 1 < units.size(); bytes /= 1024) ++unit;
  return fmt::format("{}{}", bytes, units[unit]);
}

void check_chunks(const Workload& workload) {
  const std::uint64_t chunks = ceil_div(workload.bytes, workload.chunk_bytes);
  if (chunks <= max_chunks) return;
  throw UsageError("--size {}: makes {} chunks of {}; at most {}, so give a --chunk-size from {}",
                   typed(workload.bytes), chunks, typed(workload.chunk_bytes), max_chunks,
                   typed(ceil_div(ceil_div(workload.bytes, max_chunks), word_bytes) * word_bytes));
}

/// Chunks are whole words, equally long except the last, so not every count is possible: 10 words
/// make 5 chunks of 2 or 10 of 1, but never 7. The nearest result from this size and a word less.
std::uint64_t chunk_size_for(std::uint64_t bytes, std::uint64_t chunks) {
  const std::uint64_t words = bytes / word_bytes;
  const std::uint64_t chunk_words = ceil_div(words, chunks);
  const std::uint64_t below = ceil_div(words, chunk_words);
  if (below == chunks) return chunk_words * word_bytes;
  const std::uint64_t above = chunk_words > 1 ? ceil_div(words, chunk_words - 1) : 0;
  const bool both = above > 0 && above <= max_chunks;
  throw UsageError("--chunks {}: --size {} cannot be cut into that many chunks; use {}{}", chunks,
                   typed(bytes), below, both ? fmt::format(" or {}", above) : "");
}

std::uint64_t product(std::uint64_t chunks, std::uint64_t chunk_bytes) {
  if (chunk_bytes > max_size / chunks) {
    throw UsageError(
        "{} chunks of {}: more than 2^60 bytes in all; give fewer --chunks or a --chunk-size of at "
        "most {}",
        chunks, typed(chunk_bytes), typed(max_size / chunks / word_bytes * word_bytes));
  }
  return chunks * chunk_bytes;
}

std::uint64_t cut(const Workload& workload, const Knobs& knobs) {
  if (knobs.chunk_size) {
    if (*knobs.chunk_size > *knobs.size) {
      throw UsageError("--chunk-size {}: is more than --size {}; give a smaller chunk",
                       typed(*knobs.chunk_size), typed(*knobs.size));
    }
    const std::uint64_t chunks = ceil_div(*knobs.size, *knobs.chunk_size);
    if (knobs.chunks && *knobs.chunks != chunks) {
      throw UsageError("--chunks {}: --size {} with --chunk-size {} makes {}; leave one out",
                       *knobs.chunks, typed(*knobs.size), typed(*knobs.chunk_size), chunks);
    }
    return *knobs.chunk_size;
  }
  if (knobs.chunks) return chunk_size_for(*knobs.size, *knobs.chunks);
  return std::min(workload.chunk_bytes, *knobs.size);
}

std::uint64_t result(const Workload& workload, const Knobs& knobs, bool as_large_as_chunk) {
  if (!knobs.result_size) {
    return as_large_as_chunk ? workload.chunk_bytes
                             : std::min(workload.result_bytes, workload.chunk_bytes);
  }
  if (*knobs.result_size > workload.chunk_bytes) {
    throw UsageError("--result-size {}: is more than a chunk of {}; give that or less",
                     typed(*knobs.result_size), typed(workload.chunk_bytes));
  }
  return *knobs.result_size;
}

void check_operations(const Workload& workload) {
  const std::uint64_t operations = workload.operations();
  if (operations <= max_operations) return;
  throw UsageError(
      "{} chunks with --depth {}: {} operations a pass; at most {}, so use fewer chunks or a "
      "smaller depth",
      workload.chunks(), workload.depth, operations, max_operations);
}

std::uint64_t threshold_of(const std::string& option, const std::string& value) {
  if (value == "max") return UINT64_MAX;
  return value == "0" ? 0 : parse_size(option, value);
}

void set(const std::string& option, const std::string& setting, PoolPolicy& policy) {
  const std::vector<std::string> names{"threshold", "events", "opportunistic",
                                       "internal",  "pools",  "allocations"};
  const std::size_t equals = setting.find('=');
  if (equals == setting.npos) {
    refuse(option, setting,
           "is not a setting; write for example opportunistic=on, kept for none, or default for "
           "CUDA's own settings");
  }
  const std::string value = setting.substr(equals + 1);
  const auto chosen = [&](const char* first, const char* second) {
    return parse_choice(fmt::format("{} {}", option, setting.substr(0, equals)), value,
                        {first, second}) == 1;
  };
  switch (parse_choice(option, setting.substr(0, equals), names)) {
    case 0: policy.threshold = threshold_of(option + " threshold", value); break;
    case 1: policy.follow_events = chosen("off", "on"); break;
    case 2: policy.opportunistic = chosen("off", "on"); break;
    case 3: policy.internal = chosen("off", "on"); break;
    case 4: policy.per_lane = chosen("shared", "lane"); break;
    default: policy.allocations = chosen("1", "2") ? 2 : 1;
  }
}

PoolPolicy policy_of(const std::string& option, const std::string& name) {
  if (name == "default") return cuda_default;
  PoolPolicy policy;
  if (name == "kept") return policy;
  std::set<std::string> named;
  for (const std::string& setting : split(name, ',')) {
    set(option, setting, policy);
    if (!named.insert(setting.substr(0, setting.find('='))).second)
      refuse(option, setting, "is set twice in the policy; leave one out");
  }
  return policy;
}

std::string flaw_of_allocations(const PoolPolicy& pool) {
  if (pool.allocations == 1 || pool.allocations == 2) return "";
  return fmt::format("has {} allocations a chunk", pool.allocations);
}

std::string flaw_of_file(const Workload& w) {
  if (std::string flaw = flaw_of(*w.pipeline); !flaw.empty()) return flaw;
  if (w.lanes < 1 || w.lanes > max_lanes) return fmt::format("has {} lanes", w.lanes);
  const Workload right = workload_of(w.name, *w.pipeline);
  if (w.bytes != right.bytes || w.chunk_bytes != right.chunk_bytes ||
      w.result_bytes != right.result_bytes || w.depth != right.depth) {
    return "has sizes that are not its pipeline's";
  }
  if (w.stride && *w.stride < w.chunk_bytes) return "has chunks that overlap";
  if (w.stride && *w.stride > max_size / w.chunks()) return "has chunks too far apart";
  if (std::string flaw = flaw_of_allocations(w.pool); !flaw.empty()) return flaw;
  return w.operations() > max_operations ? fmt::format("has {} operations", w.operations()) : "";
}

std::string flaw_of_knobs(const Workload& w) {
  const auto size = [](std::uint64_t bytes, std::uint64_t most) {
    return bytes >= word_bytes && bytes <= most && bytes % word_bytes == 0;
  };
  if (!size(w.bytes, max_size)) return fmt::format("has {} bytes", w.bytes);
  if (!size(w.chunk_bytes, w.bytes)) return fmt::format("has chunks of {} bytes", w.chunk_bytes);
  if (!size(w.result_bytes, w.chunk_bytes)) {
    return fmt::format("has results of {} bytes", w.result_bytes);
  }
  if (ceil_div(w.bytes, w.chunk_bytes) > max_chunks) {
    return fmt::format("has more than {} chunks", max_chunks);
  }
  if (w.stride && (*w.stride <= w.chunk_bytes || !size(*w.stride, max_size / w.chunks()))) {
    return fmt::format("has a stride of {} bytes", *w.stride);
  }
  const auto count = [](std::uint32_t value, std::uint32_t most) {
    return value >= 1 && value <= most;
  };
  if (!count(w.lanes, max_lanes)) return fmt::format("has {} lanes", w.lanes);
  if (!count(w.depth, max_depth)) return fmt::format("has depth {}", w.depth);
  if (!count(w.rounds, max_rounds)) return fmt::format("has {} rounds", w.rounds);
  if (w.operations() > max_operations) return fmt::format("has {} operations", w.operations());
  return flaw_of_allocations(w.pool);
}

}  // namespace

std::optional<std::uint64_t> stride_of(const Workload& workload, const Knobs& knobs,
                                       std::uint64_t gap) {
  const std::uint64_t bytes = knobs.stride.value_or(workload.chunk_bytes + gap);
  if (bytes < workload.chunk_bytes) {
    throw UsageError("--stride {}: is less than a chunk of {}; give that or more", typed(bytes),
                     typed(workload.chunk_bytes));
  }
  if (bytes == workload.chunk_bytes) return std::nullopt;
  const std::uint64_t chunks = workload.chunks();
  if (bytes > max_size / chunks) {
    throw UsageError(
        "{} chunks with --stride {}: more than 2^60 bytes in all; give fewer --chunks or a "
        "--stride of at most {}",
        chunks, typed(bytes), typed(max_size / chunks / word_bytes * word_bytes));
  }
  return bytes;
}

Workload turned(Workload workload, const Knobs& knobs) {
  if (workload.pipeline) return turned_pipeline(workload, knobs);
  const bool as_large_as_chunk = workload.result_bytes == workload.chunk_bytes;
  const std::uint64_t gap = workload.gap();
  if (knobs.size) {
    workload.chunk_bytes = cut(workload, knobs);
    workload.bytes = *knobs.size;
    check_chunks(workload);
  } else if (knobs.chunks || knobs.chunk_size) {
    const std::uint64_t chunks = knobs.chunks.value_or(workload.chunks());
    workload.chunk_bytes = knobs.chunk_size.value_or(workload.chunk_bytes);
    workload.bytes = product(chunks, workload.chunk_bytes);
  }
  workload.result_bytes = result(workload, knobs, as_large_as_chunk);
  workload.stride = stride_of(workload, knobs, gap);
  workload.lanes = knobs.lanes.value_or(workload.lanes);
  workload.depth = knobs.depth.value_or(workload.depth);
  workload.rounds = knobs.rounds.value_or(workload.rounds);
  workload.order = knobs.order.value_or(workload.order);
  check_operations(workload);
  return workload;
}

Workload on_one_gpu(Workload workload, std::uint64_t chunks) {
  workload.gpus.reset();
  Knobs knobs;
  knobs.chunks = chunks;
  return turned(std::move(workload), knobs);
}

std::string flaw_of(const Workload& w) {
  if (w.gpus && w.gpus->size() < 2) return "is split, but not over several GPUs";
  switch (w.origin()) {
    case Origin::knobs: return flaw_of_knobs(w);
    case Origin::file: return flaw_of_file(w);
    case Origin::recording: return w.recorded->calls > 0 ? "" : "has no calls";
  }
  return "";
}

std::vector<NamedPolicy> parse_policies(const std::string& option, const std::string& text) {
  std::vector<NamedPolicy> policies;
  for (const std::string& name : split(text, '/')) {
    if (name.empty())
      refuse(option, text, "has an empty policy; write kept for a policy without settings");
    if (includes(policies, name, &NamedPolicy::name))
      refuse(option, name, "is named more than once; leave one out");
    const PoolPolicy policy = policy_of(option, name);
    const auto same = std::ranges::find(policies, policy, &NamedPolicy::policy);
    if (same != policies.end())
      refuse(option, name, "is the same policy as {}; leave one out", same->name);
    policies.push_back({name, policy});
  }
  return policies;
}

}  // namespace trilane
