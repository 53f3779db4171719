#include "common/model/results/find.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(find)

namespace {

Comparison of(const char* name, std::uint64_t chunks, HostMemory memory = HostMemory::pinned,
              Wait wait = Wait::spin) {
  Comparison comparison;
  comparison.workload.name = name;
  comparison.workload.bytes = 1 << 20;
  comparison.workload.chunk_bytes = comparison.workload.result_bytes = (1 << 20) / chunks;
  comparison.workload.host_memory = memory;
  comparison.wait = wait;
  return comparison;
}

std::vector<std::string> labels(const std::vector<Comparison>& all) {
  std::vector<std::string> found;
  for (const Comparison& comparison : all) found.push_back(label_among(comparison, all));
  return found;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(records_are_found_by_name) {
  Comparison comparison;
  comparison.measurements.resize(2);
  comparison.measurements[1].variant = "graph";
  BOOST_TEST(find_variant(comparison, "graph") == &comparison.measurements[1]);
  BOOST_TEST(find_variant(comparison, "pool") == nullptr);
  comparison.reference = "graph";
  BOOST_TEST(find_reference(comparison) == &comparison.measurements[1]);
  BOOST_TEST(value_of({{"a", "1"}, {"b", "2"}}, "b") == "2");
  BOOST_TEST(value_of({{"a", "1"}}, "c") == "");
}

BOOST_AUTO_TEST_CASE(those_that_differ_in_settings_alone_belong_together) {
  const std::vector<Comparison> all{of("a", 1), of("b", 1), of("a", 2),
                                    of("a", 1, HostMemory::pageable)};
  BOOST_TEST(same_work(all[0], all[3]));
  BOOST_TEST((!same_work(all[0], all[1]) && !same_work(all[0], all[2])));
  const auto found = groups_of(all, same_work);
  BOOST_TEST_REQUIRE(found.size() == 1u);
  BOOST_TEST((found[0] == Group{&all[0], &all[3]}));
}

BOOST_AUTO_TEST_CASE(labels_say_what_differs) {
  BOOST_TEST(labels({of("a", 1), of("b", 2)}) == (Names{"a", "b"}));
  BOOST_TEST(labels({of("a", 1), of("a", 1, HostMemory::pageable)}) == (Names{"a", "a, pageable"}));
  BOOST_TEST(labels({of("a", 1), of("a", 1, HostMemory::pinned, Wait::block)}) ==
             (Names{"a, spin", "a, block"}));
}

BOOST_AUTO_TEST_SUITE_END()
