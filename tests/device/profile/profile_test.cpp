// Device profiles as files: what is written can be read, and what is refused.
#include "common/device/profile/profile.hpp"

#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"
#include "tests/device/profile/full_profile.hpp"

BOOST_AUTO_TEST_SUITE(profile)

/// Returns the message for this text.
std::string message(const std::string& text) {
  return refusal<UsageError>([&] { read_profile(text, "here"); });
}

/// Returns the message for the full profile with a change.
std::string message(const std::function<void(Profile&)>& change) {
  Profile profile = full_profile();
  change(profile);
  return message(to_json(profile));
}

/// Returns the message for the text of the full profile in which `part` is replaced.
std::string refusal_with(const std::string& part, const std::string& replacement) {
  std::string text = to_json(full_profile());
  const std::size_t place = text.find(part);
  BOOST_REQUIRE_MESSAGE(place != text.npos, part);
  text.replace(place, part.size(), replacement);
  return message(text);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back) {
  const Profile written = full_profile();
  const std::string text = to_json(written);
  const Profile found = read_profile(text, "here");
  BOOST_TEST(to_json(found) == text);
  BOOST_TEST(found.name == written.name);
  BOOST_TEST(found.memory_bytes == written.memory_bytes);
  BOOST_TEST(found.calls_us.size() == written.calls_us.size());
  BOOST_TEST(found.kernels.size() == written.kernels.size());
}

BOOST_AUTO_TEST_CASE(only_kernels_need_no_duration) {
  Profile profile = full_profile();
  profile.engine.duration[2].clear();
  BOOST_TEST(read_profile(to_json(profile), "").engine.duration[2].empty());
}

BOOST_AUTO_TEST_CASE(tables_name_the_kind_before_and_then_the_kind) {
  Profile profile = full_profile();
  profile.stream.latency_us = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}}};
  profile.stream.start_us = {0.5, 1e-3, 2, 3};
  const std::string text = to_json(profile);
  for (const char* part : {R"(
    "latency_us": {
      "copy in": {"copy in": 1, "memset": 2, "kernel": 3, "copy out": 4},
      "memset": {"copy in": 5, "memset": 6, "kernel": 7, "copy out": 8},
      "kernel": {"copy in": 9, "memset": 10, "kernel": 11, "copy out": 12},
      "copy out": {"copy in": 13, "memset": 14, "kernel": 15, "copy out": 16}
    })",
                           R"(
    "start_us": {"copy in": 0.5, "memset": 0.001, "kernel": 2, "copy out": 3},)",
                           R"(
    {"reduces": true, "words": 1024, "outputs": 4, "blocks": 4, "us": 16, )"}) {
    BOOST_TEST(contains(text, part), part << " is not in " << text);
  }
  BOOST_TEST(read_profile(text, "").stream.latency_us[2][1] == 10);
}

BOOST_AUTO_TEST_CASE(a_profile_that_does_not_fit_is_refused_with_place_and_value) {
  const struct {
    std::string part, replacement, message;
  } cases[] = {
      {"trilane-profile", "other", R"(here: .schema is "other", not "trilane-profile")"},
      {"\"schema\": \"trilane-profile\",", "", "here: .schema is missing"},
      {"_version\": 1", "_version\": 2", "here: .schema_version is 2, and this program reads 1"},
      {"\"across_us\"", "\"acros_us\"", "here: .stream.across_us is missing"},
      {"\"driver_version\"", "\"driver\": 1, \"driver_version\"", "here: .driver is not known"},
      {"\"across_us\"", "\"more\": 1, \"across_us\"", "here: .stream.more is not known"},
      {"\"copy in\": {", "\"copy in\": {\"free\": 1, ",
       "here: .stream.latency_us.copy in.free is not known"},
      {"\"copy out\": {", "\"x\": {", "here: .stream.latency_us.copy out is missing"},
      {"\"cudaGraphLaunch\": ", "\"cudaGraphLaunch\": -", "here: .calls_us.cudaGraphLaunch is -"},
      {"\"cudaGraphLaunch\": ", "\"cudaGraphLaunch\": 1e999, \"x\": ",
       ".calls_us.cudaGraphLaunch is too large"},
      {"\"calls_us\": {", "\"calls_us\": [], \"x\": {", ".calls_us is not an object: an array"},
      {"\"kernels\": [", "\"kernels\": {}, \"x\": [", ".kernels is not an array: an object"},
      {"\"share\": 0.25", "\"share\": \"much\"", R"(.kernels[2].share is not a number: "much")"},
      {"\"share\": 0.25", "\"share\": 1.5", ".kernels[2].share is 1.5 and must be from 0 to 1"},
      {"\"words\": 1024", "\"words\": 0.5",
       ".kernels[2].words is not a whole number from 0 to 18446744073709551615: 0.5"},
      {"\"words\": 1024", "\"words\": 0", ".kernels[2].words is 0"},
      {"\"words\": 1024", "\"words\": 4", ".kernels[2].outputs is 4, for 4 words that are reduced"},
      {"\"outputs\": 256", "\"outputs\": 1", "outputs is 1, for 256 words that are not reduced"},
      {"\"outputs\": 64", "\"outputs\": 4", ".kernels[3] has the shape of an entry before: 1024"},
      {"\"compute_major\": ", "\"compute_major\": 3000000000, \"x\": ",
       ".compute_major is not a whole number from -2147483648 to 2147483647: 3000000000"},
      {"\"multiprocessors\": ", "\"multiprocessors\": -", ".multiprocessors is -"},
      {"\"in_gbps\": ", "\"in_gbps\": 1, \"duplex_in\": ", ".engine.duplex_in is not known"},
      {"\"name\": \"", "\"name\": " + std::string(100, '7') + ", \"x\": \"",
       ".name is not a string: 7.77777777777777"},
      {"{", "", "here: byte 11 is not JSON: extra data"},
      {"{", "{{", "here: byte 1 is not JSON: syntax error"},
      {"\n}", "\n}\n x", "is not JSON: extra data"},
  };
  for (const auto& [part, replacement, message] : cases) {
    const std::string found = refusal_with(part, replacement);
    BOOST_TEST(contains(found, message), found << " has no " << message);
    BOOST_TEST(found.starts_with("here: "), found);
    BOOST_TEST(contains(found, "trilane calibrate"), found);
    BOOST_TEST(!contains(found, "\n"), found);
  }
}

BOOST_AUTO_TEST_CASE(a_document_that_is_no_profile_is_refused) {
  BOOST_TEST(contains(message(""), "here: byte 0 is not JSON: incomplete JSON"));
  BOOST_TEST(contains(message("{\"schema\""), "here: byte 9 is not JSON: incomplete JSON"));
  BOOST_TEST(contains(message("[]"), "here: the top level is not an object: an array"));
  BOOST_TEST(contains(message("7"), "here: the top level is not an object: 7"));
  BOOST_TEST(contains(message("{}"), "here: .schema is missing"));
}

BOOST_AUTO_TEST_CASE(rates_sizes_and_kernels_must_serve) {
  BOOST_TEST(contains(message([](Profile& p) { p.engine.within_gbps = 0; }),
                      "here: .engine.within_gbps is 0 and must be from 0.001 to 1000000"));
  BOOST_TEST(contains(message([](Profile& p) { p.memory.free_host.clear(); }),
                      "here: .memory.free_host has no entry"));
  BOOST_TEST(contains(message([](Profile& p) { p.stream.enqueue[2].clear(); }),
                      "here: .stream.enqueue.kernel has no entry"));
  BOOST_TEST(contains(message([](Profile& p) { p.engine.duration[3].at(1).bytes = 1; }),
                      "here: .engine.duration.copy out[1].bytes is 1 and must be above 5000000"));
  BOOST_TEST(contains(message([](Profile& p) { p.kernels.resize(2); }),
                      "here: .kernels has no entry that reduces"));
  BOOST_TEST(contains(
      message([](Profile& p) { p.kernels.erase(p.kernels.begin(), p.kernels.begin() + 2); }),
      "here: .kernels has no entry that does not reduce"));
}

// 1e18 us stopped the simulated clock, 1e308 us its arithmetic.
BOOST_AUTO_TEST_CASE(times_that_no_gpu_has_are_refused_with_the_range) {
  const std::string range = " and must be from 0 to 1";
  for (const double us : {10.1e6, 1e9}) {
    BOOST_TEST(contains(message([&](Profile& p) { p.stream.across_us = us; }),
                        "here: .stream.across_us is 10"));
    BOOST_TEST(contains(message([&](Profile& p) { p.memory.one_lane_us = us; }), range));
    BOOST_TEST(contains(message([&](Profile& p) { p.engine.duration[0].at(1).us = us; }),
                        "here: .engine.duration.copy in[1].us is 10"));
    BOOST_TEST(contains(message([&](Profile& p) { p.graph.latency_us[1][2] = us; }),
                        "here: .graph.latency_us.memset.kernel is 10"));
    BOOST_TEST(contains(message([&](Profile& p) { p.kernels[1].round_us = us; }),
                        "here: .kernels[1].round_us is 10"));
    BOOST_TEST(contains(message([&](Profile& p) { p.calls_us["cudaGraphLaunch"] = us; }),
                        "here: .calls_us.cudaGraphLaunch is 10"));
  }
  BOOST_TEST(contains(message([](Profile& p) { p.engine.in_gbps = 1e-4; }),
                      "here: .engine.in_gbps is 0.0001 and must be from 0.001 to 1000000"));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_missing_or_misspelt_costs_nothing_and_is_refused) {
  for (const auto& [call, us] : full_profile().calls_us) {
    BOOST_TEST(contains(message([&](Profile& p) { p.calls_us.erase(call); }),
                        "here: .calls_us." + call + " is missing"));
  }
  BOOST_TEST(contains(message([](Profile& p) { p.calls_us.clear(); }), " is missing"));
  BOOST_TEST(contains(
      message([](Profile& p) { p.calls_us["cudaGraphLunch"] = 1; }),
      "here: .calls_us.cudaGraphLunch is not known, but cudaGraphLaunch is: if a newer version "
      "wrote the file, use that one; give"));
  BOOST_TEST(contains(message([](Profile& p) { p.calls_us["launch of many kernel nodes"] = 1; }),
                      ".calls_us.launch of many kernel nodes is not known: if a newer version "
                      "wrote the file, use that one; "));
  BOOST_TEST(contains(message([](Profile& p) { p.calls_us["launch of 4 child nodes"] = 1; }),
                      ".calls_us.launch of 4 child nodes is not known"));
  for (const char* further : {"launch of 4 copy in nodes", "launch of 1024 kernel nodes", "capture",
                              "update", "cudaGraphExecUpdate"}) {
    BOOST_TEST(message([&](Profile& p) { p.calls_us[further] = 1; }) == "(not refused)");
  }
}

BOOST_AUTO_TEST_CASE(a_long_value_is_cut_between_characters) {
  std::string name;
  while (name.size() < 100) name += "\xc2\xb5";
  for (const std::string& text : {name, "x" + name}) {
    const std::string found = refusal_with("\"reduces\": false", "\"reduces\": \"" + text + "\"");
    BOOST_TEST(contains(found, "is neither true nor false: \""), found);
    BOOST_TEST(contains(found, "\xc2\xb5...;"), found);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named) {
  const auto message = [](const std::string& path) {
    return refusal<UsageError>([&] { load_profile(path); });
  };
  BOOST_TEST(contains(message("no/such\nfile"),
                      "'no/such\\x0afile': cannot be read (No such file or directory);"));
  BOOST_TEST(contains(message("/"), "'/': cannot be read (Is a directory);"));
  BOOST_TEST(contains(message("/dev/null"), "'/dev/null': cannot be read (it is a device"));
}

BOOST_AUTO_TEST_SUITE_END()
