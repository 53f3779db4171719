#include "common/commands/help/help.hpp"

namespace trilane {

const std::vector<HelpQuestion> help_questions{
    {"Which way for a pipeline of my shape?", "run --chunks 32 --chunk-size 1M --kernel-time 50us"},
    {"Is a graph worth it for 200 tiny kernels?",
     "run --chunks 1 --depth 200 --chunk-size 4K --rounds 1"},
    {"How long may its set-up take?", "run --preset launch --variant streams,graph"},
    {"Is one stream per engine better?", "run --variant streams,engines"},
    {"Pinned or pageable memory?", "run --host-memory pinned,pageable"},
    {"How many chunks for my size?", "sweep chunks=1..128 --size 1G"},
    {"How many lanes?", "sweep lanes=1..16 --preset balanced"},
    {"What does cudaMalloc in every pass cost?", "run --variant streams,malloc"},
    {"Which release threshold for a pool?",
     "run --variant streams,pool --pool kept/threshold=64M/threshold=0"},
    {"Does a memset hold up other work?", "run --variant streams,graph --trace trace.json"},
    {"What waits for what on my GPU, and what does it cost?", "ask --all"},
    {"How should the host learn that a lane is done?", "loop"},
    {"What has the new driver changed?", "compare old.json new.json"}};

}  // namespace trilane
