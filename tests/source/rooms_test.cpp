// The rooms of the source tree: which includes which, by the include lines and common/rooms.txt.
#include "tests/framework.hpp"

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(rooms)

const fs::path source = SOURCE_DIR;

using Names = std::set<std::string>;
using Graph = std::map<std::string, Names>;

bool is_code(const fs::path& file) {
  const fs::path kind = file.extension();
  return kind == ".cpp" || kind == ".hpp" || kind == ".cu" || kind == ".cuh";
}

/// Returns source files below the folder, as paths from the top of the source tree.
std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
    if (is_code(entry.path())) files.push_back(fs::relative(entry.path(), source));
  }
  std::ranges::sort(files);
  BOOST_REQUIRE_MESSAGE(!files.empty(), "no source file in " << folder);
  return files;
}

const Names& includes_of(const fs::path& file) {
  static const std::regex line(R"(^\s*#include\s*[<"]([^>"]+)[>"])");
  static std::map<fs::path, Names> known;
  const auto [at, is_new] = known.try_emplace(file);
  Names& found = at->second;
  if (!is_new) return found;
  std::ifstream in(source / file);
  for (std::string text; std::getline(in, text);) {
    if (std::smatch match; std::regex_search(text, match, line)) found.insert(match[1]);
  }
  return found;
}

bool is_ours(const std::string& include) {
  return include.starts_with("common/") || include.starts_with("kernels/") ||
         include.starts_with("variants/");
}

bool is_cuda(const std::string& include) {
  return include.starts_with("cuda") || include == "driver_types.h" || include == "vector_types.h";
}

/// Adds our own files that a file includes, also through other headers, and CUDA's headers.
void reach(const std::string& file, Names& seen) {
  if (!seen.insert(file).second || !is_ours(file)) return;
  for (const std::string& include : includes_of(file)) reach(include, seen);
}

Names reached_from(const fs::path& file) {
  Names seen;
  reach(file, seen);
  return seen;
}

bool reaches_cuda(const fs::path& file) { return std::ranges::any_of(reached_from(file), is_cuda); }

/// Returns the room of `file` directly in `folder`: a subfolder's name, "(files)" for a file in the
/// folder itself, empty for a file elsewhere.
std::string room_in(const std::string& folder, const std::string& file) {
  if (!file.starts_with(folder + "/")) return "";
  const std::string rest = file.substr(folder.size() + 1);
  const auto slash = rest.find('/');
  return slash == std::string::npos ? "(files)" : rest.substr(0, slash);
}

/// Returns which rooms directly in `folder` include which others.
Graph rooms_of(const std::string& folder) {
  Graph graph;
  for (const fs::path& file : files_in(folder)) {
    const std::string from = room_in(folder, file);
    for (const std::string& include : includes_of(file)) {
      const std::string to = room_in(folder, include);
      if (!to.empty() && to != from) graph[from].insert(to);
    }
  }
  return graph;
}

/// Returns the rooms that can be reached from `room`.
Names below(const Graph& graph, const std::string& room) {
  Names seen;
  std::vector<std::string> open{room};
  while (!open.empty()) {
    const auto found = graph.find(open.back());
    open.pop_back();
    if (found == graph.end()) continue;
    for (const std::string& next : found->second) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return seen;
}

/// One line of common/rooms.txt.
struct Room {
  std::string folder;  ///< below common/
  std::string name;    ///< the folder's own
  Names may_include;
  bool in_applications;  ///< marked with a +
};

std::vector<Room> table() {
  std::vector<Room> rooms;
  std::ifstream in(source / "common/rooms.txt");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos) continue;
    std::istringstream words(line.substr(colon + 1));
    const bool marked = line.starts_with("+ ");
    const std::string folder = line.substr(0, colon).substr(marked ? 2 : 0);
    rooms.push_back({folder, fs::path(folder).filename(),
                     Names(std::istream_iterator<std::string>(words), {}), marked});
  }
  BOOST_REQUIRE(rooms.size() > 1u);
  return rooms;
}

/// Returns "text" for "common/base/text/size.hpp", "commands", which is a wing of one room, for all
/// files of it, "kernels" for "kernels/mix.hpp", empty for main.cpp.
std::string room_of(const std::string& file) {
  if (file.starts_with("kernels/")) return "kernels";
  const std::string wing = room_in("common", file);
  if (wing == "commands") return wing;
  const std::string room = wing == "(files)" ? "" : room_in("common/" + wing, file);
  return room == "(files)" ? "" : room;
}

Names folders_of_common() {
  Names folders{"common"};
  for (const auto& entry : fs::recursive_directory_iterator(source / "common")) {
    const bool has_files = entry.is_directory() && !fs::is_empty(entry.path());
    if (has_files) folders.insert(fs::relative(entry.path(), source).string());
  }
  return folders;
}

/// Checks what the files in the folders include directly.
template <typename Allowed>
void check_includes(const std::vector<std::string>& folders, Allowed allowed) {
  for (const std::string& folder : folders) {
    for (const fs::path& file : files_in(folder)) {
      for (const std::string& include : includes_of(file)) {
        BOOST_TEST(allowed(file, include), file << " includes " << include);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_included_file_of_ours_is_there) {
  check_includes({"common", "kernels", "variants"},
                 [](const fs::path&, const std::string& include) {
                   return !is_ours(include) || fs::exists(source / include);
                 });
}

BOOST_AUTO_TEST_CASE(the_table_names_every_room_and_each_stands_above_those_that_include_it) {
  Names above{"kernels"};
  for (const Room& room : table()) {
    for (const std::string& other : room.may_include) {
      BOOST_TEST(above.contains(other), room.name << " may include " << other);
    }
    above.insert(room.name);
  }
  above.erase("kernels");
  Names there;
  for (const fs::path& file : files_in("common")) {
    if (const std::string room = room_of(file); !room.empty()) there.insert(room);
  }
  BOOST_TEST(there == above, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_room_includes_what_the_table_says_and_the_table_says_no_more) {
  for (const Room& room : table()) {
    Names included;
    for (const fs::path& file : files_in("common/" + room.folder)) {
      for (const std::string& include : includes_of(file)) {
        const std::string other = room_of(include);
        BOOST_TEST(!include.starts_with("variants/"), file << " includes " << include);
        if (other.empty() || other == room.name) continue;
        included.insert(other);
        BOOST_TEST(room.may_include.contains(other), file << " includes " << include);
      }
    }
    for (const std::string& other : room.may_include) {
      BOOST_TEST(included.contains(other), room.name << " does not include " << other);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_enters_applications_is_the_recorder_and_what_it_includes) {
  Graph graph;
  Names marked;
  for (const Room& room : table()) {
    graph[room.name] = room.may_include;
    if (room.in_applications) marked.insert(room.name);
  }
  Names needed = below(graph, "recorder");
  needed.insert("recorder");
  needed.erase("kernels");  // a header
  BOOST_TEST(marked == needed, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_rooms_include_each_other_at_any_level) {
  for (const std::string& folder : folders_of_common()) {
    if (folder == "common") continue;  // the table's order ensures it
    const Graph graph = rooms_of(folder);
    for (const auto& [room, _] : graph) {
      BOOST_TEST(!below(graph, room).contains(room), room << " in " << folder << " reaches itself");
    }
  }
}

BOOST_AUTO_TEST_CASE(kernels_include_nothing_of_common) {
  check_includes({"kernels"}, [](const fs::path&, const std::string& include) {
    return !is_ours(include) || include.starts_with("kernels/");
  });
}

BOOST_AUTO_TEST_CASE(variants_see_plans_and_the_parts_that_they_are_made_of) {
  check_includes({"variants"}, [](const fs::path&, const std::string& include) {
    return !is_ours(include) || include.starts_with("common/model/variant/") ||
           include.starts_with("common/measure/gpu/");
  });
}

BOOST_AUTO_TEST_CASE(nothing_outside_a_flavour_of_the_device_includes_it) {
  for (const std::string flavour : {"common/device/cuda/", "common/device/simulator/"}) {
    check_includes({"common", "kernels", "variants"},
                   [&](const fs::path& file, const std::string& include) {
                     // The recorder's library is only for a GPU.
                     return file.string().starts_with(flavour) ||
                            file.string().starts_with("common/application/recorder/") ||
                            !include.starts_with(flavour);
                   });
  }
}

BOOST_AUTO_TEST_CASE(what_computes_prints_and_reads_files_reaches_no_cuda_header) {
  for (const char* room :
       {"base", "model", "device/profile", "explain", "measure/context", "measure/processes",
        "measure/sweep/map", "measure/rounds", "application/iteration", "application/finding",
        "application/diagnosis", "commands/options"}) {
    for (const fs::path& file : files_in(std::string("common/") + room)) {
      BOOST_TEST(!reaches_cuda(file), file);
    }
  }
  BOOST_TEST(!reaches_cuda("common/device/flavour/flavour.hpp"));
  BOOST_TEST(reaches_cuda("common/measure/gpu/lanes.hpp"));  // the walk finds what exists
}

BOOST_AUTO_TEST_CASE(the_rounds_of_the_harness_know_no_variant) {
  for (const fs::path& file : files_in("common/measure/rounds")) {
    for (const std::string& include : reached_from(file)) {
      BOOST_TEST(include != "common/model/variant/variant.hpp", file);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_calibration_knows_no_variant_and_no_stage) {
  check_includes({"common/measure/calibrate"}, [](const fs::path&, const std::string& include) {
    return include != "common/model/variant/variant.hpp" &&
           include != "common/measure/gpu/stages.hpp";
  });
}

BOOST_AUTO_TEST_CASE(device_code_exports_kernels_only) {
  for (const fs::path& file : files_in("kernels")) {
    if (file.extension() != ".cu") continue;
    std::ifstream in(source / file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    BOOST_TEST(text.find("<<<") == std::string::npos, file);
    BOOST_TEST(text.find("cudaLaunch") == std::string::npos, file);
  }
}

BOOST_AUTO_TEST_CASE(a_folder_can_be_seen_at_a_glance) {
  constexpr std::ptrdiff_t most_files = 30, most_wings = 7, most_rooms = 10, most_deep = 3;
  for (const std::string& folder : folders_of_common()) {
    std::ptrdiff_t files = 0, rooms = 0;
    for (const auto& entry : fs::directory_iterator(source / folder)) {
      ++(entry.is_directory() ? rooms : files);
    }
    BOOST_TEST(files <= most_files, folder);
    BOOST_TEST(rooms <= (folder == "common" ? most_wings : most_rooms), folder);
    BOOST_TEST(std::ranges::count(folder, '/') <= most_deep, folder);
  }
}

BOOST_AUTO_TEST_CASE(a_room_can_be_read_in_a_day) {
  constexpr std::ptrdiff_t most_lines = 8000;
  for (const Room& room : table()) {
    std::ptrdiff_t lines = 0;
    for (const fs::path& file : files_in("common/" + room.folder)) {
      std::ifstream in(source / file);
      lines += std::count(std::istreambuf_iterator<char>(in), {}, '\n');
    }
    BOOST_TEST(lines <= most_lines, room.name);
  }
}

BOOST_AUTO_TEST_CASE(each_wing_has_a_page) {
  for (const auto& entry : fs::directory_iterator(source / "common")) {
    if (entry.is_directory()) BOOST_TEST(fs::exists(entry.path() / "README.md"), entry.path());
  }
}

BOOST_AUTO_TEST_CASE(no_two_files_of_common_share_a_name) {
  std::map<std::string, Names> places;
  for (const fs::path& file : files_in("common")) {
    places[file.stem()].insert(file.parent_path().string());
  }
  for (const auto& [name, folders] : places) BOOST_TEST(folders.size() == 1u, name);
}

/// Files of a family implement one interface, which their folder is named after: a header in or
/// beside it, or one of CUDA's.
BOOST_AUTO_TEST_CASE(a_source_file_has_a_header_of_its_name_or_belongs_to_a_family) {
  const Names families{"common/application/diagnosis",
                       "common/application/finding",
                       "common/application/pipelines/chunks",
                       "common/application/pipelines/making",
                       "common/application/prediction",
                       "common/application/prediction/ways",
                       "common/application/recorder/driver",
                       "common/application/recorder/listening",
                       "common/application/replay",
                       "common/application/source",
                       "common/commands",
                       "common/commands/fleet",
                       "common/commands/options",
                       "common/commands/recording",
                       "common/device/cuda",
                       "common/device/profile",
                       "common/device/simulator/kernels",
                       "common/device/simulator/machine",
                       "common/device/simulator/runtime",
                       "common/explain/analysis/verdict",
                       "common/explain/fleet",
                       "common/explain/report",
                       "common/measure/calibrate",
                       "common/measure/gpu/compile",
                       "common/measure/loop/notifications",
                       "common/measure/loop/results",
                       "common/measure/questions/capture",
                       "common/measure/questions/copies",
                       "common/measure/questions/graphs",
                       "common/measure/questions/host",
                       "common/measure/questions/memory",
                       "common/measure/questions/order",
                       "common/measure/sweep/map",
                       "common/model/results",
                       "common/model/workload",
                       "common/model/workload/file",
                       "common/model/workload/pipeline"};
  const Names alone{"common/main.cpp", "common/base/json/boost_json.cpp",
                    "common/base/text/fmt.cpp", "common/commands/fleet/ranks/fleet_rank.cpp"};
  for (const fs::path& file : files_in("common")) {
    if (file.extension() != ".cpp" || alone.contains(file.string())) continue;
    const bool has_header = fs::exists((source / file).replace_extension(".hpp"));
    BOOST_TEST((has_header || families.contains(file.parent_path().string())), file);
  }
}

BOOST_AUTO_TEST_SUITE_END()
