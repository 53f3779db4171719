// Ranges as a profiler sees them: the test is one itself, attached by the hook that NVTX keeps for
// tools that are linked in.
#include "common/measure/harness/nvtx.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(nvtx)

std::vector<std::string> events;

nvtxDomainHandle_t create(const char* name) {
  static std::string domain;
  domain = name;
  return reinterpret_cast<nvtxDomainHandle_t>(&domain);
}
const std::string& name_of(nvtxDomainHandle_t domain) {
  return *reinterpret_cast<const std::string*>(domain);
}
int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  events.push_back(name_of(domain) + " push " + event->message.ascii);
  return 0;
}
int pop(nvtxDomainHandle_t domain) {
  events.push_back(name_of(domain) + " pop");
  return 0;
}

int attach(NvtxGetExportTableFunc_t export_table) {
  const auto callbacks =
      static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)) return 0;
  const auto set = [&](unsigned id, auto* function) {
    if (id < size) *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
  };
  set(NVTX_CBID_CORE2_DomainCreateA, create);
  set(NVTX_CBID_CORE2_DomainRangePushEx, push);
  set(NVTX_CBID_CORE2_DomainRangePop, pop);
  return 1;
}

// Before main, because NVTX looks for a tool only once, at the first range of the process.
const bool attached = (InitializeInjectionNvtx2_fnptr = attach) != nullptr;

BOOST_AUTO_TEST_CASE(ranges_nest_in_the_domain_of_the_tool) {
  BOOST_REQUIRE(attached);
  events.clear();
  {
    const trilane::NvtxRange outer{"streams"};
    const trilane::NvtxRange inner{std::string("pass")};
  }
  const std::vector<std::string> wanted = {"trilane push streams", "trilane push pass",
                                           "trilane pop", "trilane pop"};
  BOOST_TEST(events == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
