#include "common/measure/context/nvml.hpp"

#include <unistd.h>

#include "tests/base/folder.hpp"

BOOST_AUTO_TEST_SUITE(nvml)

// A fake NVML: one GPU, functions with the signatures of the API reference.
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

constexpr unsigned beyond_ids = 5'000'000;  // Linux gives at most 4,194,304
int sessions = 0, busy_processes = 0, temperatures = 0;
unsigned long long limiter_mask = 0;
char gpu;

int init() { return ++sessions, 0; }
int init_without_driver() { return 9; }
int shut_down() { return --sessions, 0; }
const char* error_string(int code) {
  return code == 3 ? "Not Supported" : code == 6 ? "Not Found" : "Driver Not Loaded";
}
int find(const char* pci, void** device) {
  *device = &gpu;
  return std::string(pci) == "0000:1b:00.0" ? 0 : 6;
}
int uuid(void* device, char* text, unsigned size) {
  if (device != &gpu) return 2;
  std::snprintf(text, size, "GPU-00000000-1111-2222-3333-444444444444");
  return 0;
}
int driver(char* text, unsigned size) { return std::snprintf(text, size, "580.159"), 0; }
int clock_now(void* device, int kind, unsigned* mhz) {
  *mhz = kind == 1 ? 1980 : kind == 2 ? 3201 : 0;
  return device == &gpu ? 0 : 2;
}
int clock_max(void*, int kind, unsigned* mhz) { return *mhz = kind == 1 ? 1985u : 3202u, 0; }
int temperature(void*, int sensor, unsigned* celsius) {
  ++temperatures;
  *celsius = 41;
  return sensor == 0 ? 0 : 2;
}
int milliwatts(void*, unsigned* value) { return *value = 123456, 0; }
int limit(void*, unsigned* value) { return *value = 700000, 0; }
int generation(void*, unsigned* value) { return *value = 5, 0; }
int width(void*, unsigned* value) { return *value = 16, 0; }
int persistence(void*, unsigned* value) { return *value = 1, 0; }
int exclusive(void*, unsigned* value) { return *value = 3, 0; }
int ecc(void*, unsigned* current, unsigned* pending) { return *current = 1, *pending = 0, 0; }
int mig(void*, unsigned*, unsigned*) { return 3; }
int mask(void*, unsigned long long* reasons) { return *reasons = limiter_mask, 0; }
int none(void*, unsigned* count, Process*) { return *count = 0, 0; }
int computing(void*, unsigned* count, Process* list) {
  const auto all = static_cast<unsigned>(1 + busy_processes);
  const unsigned room = *count;
  *count = all;
  if (room < all) return 7;
  list[0] = {static_cast<unsigned>(getpid()), 1, ~0u, ~0u};
  for (unsigned i = 1; i < all; ++i) list[i] = {beyond_ids + i, 2, ~0u, ~0u};
  return 0;
}

struct Memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};
unsigned long long used_bytes = 0;
int busy_readings = 0;
int memory(void*, Memory* info) {
  if (info->version != (sizeof(Memory) | 2u << 24)) return 25;  // as NVML refuses it
  return info->used = used_bytes, info->reserved = 1ull << 40, 0;
}
int utilization(void*, Utilization* use) {
  return *use = {busy_readings > 0 ? 7u : 0u, 0}, --busy_readings, 0;
}

template <typename F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

using Table = std::map<std::string, void*>;

Table complete() {
  busy_processes = 0;
  limiter_mask = 0;
  return {{"nvmlInit_v2", address(init)},
          {"nvmlShutdown", address(shut_down)},
          {"nvmlErrorString", address(error_string)},
          {"nvmlDeviceGetHandleByPciBusId_v2", address(find)},
          {"nvmlDeviceGetUUID", address(uuid)},
          {"nvmlSystemGetDriverVersion", address(driver)},
          {"nvmlDeviceGetClockInfo", address(clock_now)},
          {"nvmlDeviceGetMaxClockInfo", address(clock_max)},
          {"nvmlDeviceGetTemperature", address(temperature)},
          {"nvmlDeviceGetPowerUsage", address(milliwatts)},
          {"nvmlDeviceGetEnforcedPowerLimit", address(limit)},
          {"nvmlDeviceGetMaxPcieLinkGeneration", address(generation)},
          {"nvmlDeviceGetMaxPcieLinkWidth", address(width)},
          {"nvmlDeviceGetCurrPcieLinkGeneration", address(generation)},
          {"nvmlDeviceGetCurrPcieLinkWidth", address(width)},
          {"nvmlDeviceGetPersistenceMode", address(persistence)},
          {"nvmlDeviceGetComputeMode", address(exclusive)},
          {"nvmlDeviceGetEccMode", address(ecc)},
          {"nvmlDeviceGetMigMode", address(mig)},
          {"nvmlDeviceGetCurrentClocksEventReasons", address(mask)},
          {"nvmlDeviceGetComputeRunningProcesses_v3", address(computing)},
          {"nvmlDeviceGetGraphicsRunningProcesses_v3", address(none)},
          {"nvmlDeviceGetMPSComputeRunningProcesses_v3", address(none)},
          {"nvmlDeviceGetMemoryInfo_v2", address(memory)},
          {"nvmlDeviceGetUtilizationRates", address(utilization)}};
}

NvmlLookup lookup_in(const Table& table) {
  return [&](const char* name) {
    const auto entry = table.find(name);
    return entry == table.end() ? nullptr : entry->second;
  };
}

NvmlReading read(const Table& table, const std::string& pci = "0000:1b:00.0") {
  return read_nvml(pci, lookup_in(table));
}

std::vector<std::string> signs(const Table& table, unsigned long long bytes, int busy) {
  used_bytes = bytes;
  busy_readings = busy;
  return signs_of_others("0000:1b:00.0", lookup_in(table));
}

using Properties = std::vector<Property>;

std::string lines(const Properties& properties) {
  std::string all;
  for (const auto& [name, value] : properties) all += name + "=" + value + "\n";
  return all;
}

BOOST_AUTO_TEST_CASE(reads_what_stays_and_what_moves) {
  const NvmlReading reading = read(complete());
  BOOST_TEST(lines(reading.identity) ==
             "uuid=GPU-00000000-1111-2222-3333-444444444444\ndriver_version=580.159\n"
             "sm_clock_max_mhz=1985\nmemory_clock_max_mhz=3202\npower_limit_w=700.0\n"
             "pcie_generation_max=5\npcie_width_max=16\npersistence_mode=on\n"
             "compute_mode=exclusive process\necc_mode=on\nmig_mode=\n");
  BOOST_TEST(lines(reading.state) ==
             "sm_clock_mhz=1980\nmemory_clock_mhz=3201\ntemperature_c=41\npower_w=123.5\n"
             "pcie_generation=5\npcie_width=16\nclocks_limited_by=none\n");
  BOOST_TEST(reading.notes == std::vector<std::string>{"NVML: mig_mode: Not Supported"});
  BOOST_TEST(reading.other_processes.empty());
  BOOST_TEST(sessions == 0);  // each one was closed
}

BOOST_AUTO_TEST_CASE(names_what_holds_the_clocks_down) {
  const Table table = complete();
  limiter_mask = 0x1ff;
  BOOST_TEST(read(table).state.back().second ==
             "idle, application clocks, software power cap, hardware slowdown, sync boost, "
             "software thermal slowdown, hardware thermal slowdown, hardware power brake, "
             "display clocks");
  limiter_mask = 0x8000000000000004;
  BOOST_TEST(read(table).state.back().second == "software power cap, bit 63");
}

BOOST_AUTO_TEST_CASE(asks_again_when_there_are_many_processes) {
  const Table table = complete();
  busy_processes = 300;
  const NvmlReading reading = read(table);
  BOOST_TEST(reading.other_processes.size() == 300u);
  BOOST_TEST(reading.other_processes.front() == "5000001");  // no such process here: no name
}

BOOST_AUTO_TEST_CASE(an_nvml_without_a_function_reads_the_rest) {
  Table table = complete();
  table.erase("nvmlDeviceGetPowerUsage");
  const NvmlReading reading = read(table);
  BOOST_TEST(lines(reading.state).find("power_w=\n") != std::string::npos);
  BOOST_TEST(lines(reading.state).find("temperature_c=41\n") != std::string::npos);
  BOOST_TEST(reading.notes.size() == 2u);
}

BOOST_AUTO_TEST_CASE(an_unknown_device_is_one_note) {
  temperatures = 0;
  const NvmlReading reading = read(complete(), "0000:ff:00.0");
  BOOST_TEST(temperatures == 0);  // no query about a missing device
  BOOST_TEST(reading.notes == std::vector<std::string>{"NVML: device 0000:ff:00.0: Not Found"});
  for (const auto& [name, value] : reading.identity) BOOST_TEST(value == "");
  BOOST_TEST(sessions == 0);
}

BOOST_AUTO_TEST_CASE(a_driver_that_is_not_loaded_is_one_note) {
  Table table = complete();
  table["nvmlInit_v2"] = address(init_without_driver);
  const NvmlReading reading = read(table);
  BOOST_TEST(reading.notes == std::vector<std::string>{"NVML: nvmlInit_v2: Driver Not Loaded"});
  BOOST_TEST(sessions == 0);
}

BOOST_AUTO_TEST_CASE(an_absent_library_is_one_note_and_the_names_stay) {
  const NvmlReading reading = read_nvml("0000:1b:00.0", "libno-such-nvml.so.1");
  BOOST_REQUIRE(reading.notes.size() == 1u);
  BOOST_TEST(reading.notes.front().starts_with("NVML: libno-such-nvml.so.1: cannot open"));
  BOOST_TEST(reading.identity.size() == 11u);
  BOOST_TEST(reading.state.size() == 7u);
  for (const auto& [name, value] : reading.state) BOOST_TEST(value == "");
  BOOST_TEST(reading.other_processes.empty());
}

BOOST_AUTO_TEST_CASE(a_library_that_is_no_nvml_is_carried_on_without) {
  const NvmlReading reading = read_nvml("0000:1b:00.0", "libm.so.6");
  BOOST_REQUIRE(reading.notes.size() == 1u);
  BOOST_TEST(reading.notes.front() == "NVML: nvmlInit_v2: error 13");
}

BOOST_AUTO_TEST_CASE(other_processes_have_names_and_this_one_is_left_out) {
  const Folder root;
  const auto self = static_cast<unsigned>(getpid());
  root.put("proc/4000007/comm", "python3\n");
  root.put("proc/" + std::to_string(self) + "/comm", "unit_tests\n");
  std::vector<std::string> notes;
  const auto others = describe_others({4000007, self, 4000009}, notes, root.path);
  BOOST_TEST(others == (std::vector<std::string>{"4000007 python3", "4000009"}));
  BOOST_TEST(notes.empty());
}

BOOST_AUTO_TEST_CASE(pids_of_another_namespace_get_no_names) {
  const Folder root;
  root.put("proc/4000007/comm", "bystander\n");
  std::vector<std::string> notes;
  BOOST_TEST(describe_others({4000007}, notes, root.path) == std::vector<std::string>{"4000007"});
  BOOST_TEST(notes.size() == 1u);
  BOOST_TEST(describe_others({}, notes, root.path).empty());
  BOOST_TEST(notes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(others_show_by_memory_and_by_kernels_that_go_on) {
  const std::vector<std::string> nothing, by_memory{"3 GiB of its memory in use before"},
      by_kernels{"kernels ran before"};
  Table table = complete();
  BOOST_TEST(signs(table, 1 << 20, 0) == nothing);  // the driver keeps a little
  BOOST_TEST(signs(table, 3ull << 30, 0) == by_memory);
  BOOST_TEST(signs(table, 0, 1 << 20) == by_kernels);
  BOOST_TEST(signs(table, 0, 3) == nothing);  // of a program that has just ended
  BOOST_TEST(busy_readings == -1);
  BOOST_TEST(sessions == 0);
  table.erase("nvmlDeviceGetMemoryInfo_v2");
  table.erase("nvmlDeviceGetUtilizationRates");
  BOOST_TEST(signs(table, 3ull << 30, 1 << 20) == nothing);
  BOOST_TEST(signs_of_others("0000:1b:00.0", "libno-such-nvml.so.1") == nothing);
}

BOOST_AUTO_TEST_SUITE_END()
