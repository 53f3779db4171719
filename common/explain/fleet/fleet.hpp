// Results files of several machines that measured the same work: the verdict over machines, and the
// machines that differ from the others.
#pragma once

#include "common/base/json/document.hpp"
#include "common/base/text/page.hpp"
#include "common/explain/statistics/interval.hpp"

namespace trilane {

/// A time that a run measured, as a logarithm: of a pass of a variant, or a cost of the machine.
struct FleetValue {
  std::string work;     ///< the comparison, with all that defines its work
  std::string variant;  ///< empty for a cost
  std::string cost;     ///< "copy in", "cudaLaunchKernel"; empty for a variant
  LogMean log;          ///< the variance is 0 if the file does not show it
};

/// One comparison of a run.
struct FleetWork {
  std::string key, label, shape, reference;
  std::string work;                     ///< in words, of which the key is a short form
  std::map<std::string, Tier> tiers{};  ///< of its variants
};

/// The figures and the place of one results file.
struct FleetRun {
  std::string file;  ///< and the GPU, if the file has several
  Context context;
  std::vector<FleetWork> works{};
  std::vector<FleetValue> values{};
  std::vector<std::string> failures{};  ///< variants that went wrong, with their messages
};

/// Returns the figures of a run, by GPU if it measured several. Throws std::invalid_argument on
/// invalid times.
std::vector<FleetRun> fleet_runs(const std::string& file, const Results& results);

/// A GPU on its node; several files of one GPU count as one machine.
struct FleetMachine {
  std::string name;  ///< "node7 GPU 0", or the file's name if the node was not recorded
  std::vector<std::string> files;
  std::string node, gpu, uuid, pci_bus_id, driver, sm_clock_mhz;  ///< clock: after the run
};
BOOST_DESCRIBE_STRUCT(FleetMachine, (),
                      (name, files, node, gpu, uuid, pci_bus_id, driver, sm_clock_mhz))
TRILANE_RANGES(FleetMachine, Within<&R::name, &R::files>{text_range})

/// A ratio of times with a 95% interval for another such set of machines, and its extremes.
struct AcrossMachines {
  double estimate = 1, low = 1, high = 1;
  double least = 1, most = 1;  ///< of one machine
};
BOOST_DESCRIBE_STRUCT(AcrossMachines, (), (estimate, low, high, least, most))
TRILANE_RANGES(AcrossMachines,
               Within<&R::estimate, &R::low, &R::high, &R::least, &R::most>{factor_range})

struct FleetVariant {
  std::string variant;
  Tier tier = Tier::same_operations;
  std::uint32_t machines = 0;             ///< with times
  double us = 0;                          ///< of a pass; median over machines
  std::uint32_t faster = 0, slower = 0;   ///< machines whose own interval is on that side of 1
  std::optional<AcrossMachines> ratio{};  ///< over the reference; absent below two machines
};
BOOST_DESCRIBE_STRUCT(FleetVariant, (), (variant, tier, machines, us, faster, slower, ratio))

struct FleetWorkload {
  std::string workload, reference{};
  std::vector<FleetVariant> variants{};
  std::string verdict{};
};
BOOST_DESCRIBE_STRUCT(FleetWorkload, (), (workload, reference, variants, verdict))
TRILANE_RANGES(FleetWorkload, Within<&R::verdict>{text_range})

/// A figure that is judged over machines: the time of a variant on a workload, or a cost.
struct FleetFigure {
  std::string name;
  double spread = 0;  ///< standard deviation over machines that do not differ, relative
  std::map<std::string, double> relative{};  ///< by machine; 1 is the mean of these machines
};
BOOST_DESCRIBE_STRUCT(FleetFigure, (), (name, spread, relative))
TRILANE_RANGES(FleetFigure, Within<&R::spread, &R::relative>{factor_range})

struct OddFigure {
  std::string name;
  double ratio = 1;  ///< time over that of the other machines
};
BOOST_DESCRIBE_STRUCT(OddFigure, (), (name, ratio))
TRILANE_RANGES(OddFigure, Within<&R::ratio>{factor_range})

/// A machine that differs from the others.
struct OddMachine {
  std::string machine;
  std::vector<OddFigure> figures;  ///< costs first, then the largest differences
};
BOOST_DESCRIBE_STRUCT(OddMachine, (), (machine, figures))

/// A recorded setting or state, such as a clock, in which some machines differ from most.
struct OddSetting {
  std::string name, value, usual;
  std::vector<std::string> machines;
};
BOOST_DESCRIBE_STRUCT(OddSetting, (), (name, value, usual, machines))
TRILANE_RANGES(OddSetting, Within<&R::value, &R::usual, &R::machines>{text_range})

/// A file, or a part of it, that does not count.
struct LeftOut {
  std::string file, why;
};
BOOST_DESCRIBE_STRUCT(LeftOut, (), (file, why))
TRILANE_RANGES(LeftOut, Within<&R::file, &R::why>{text_range})

struct FleetRequest {
  double false_alarms = 0.01;  ///< share of fleets without a difference in which one is named
  double differs_from = 0.01;  ///< the smallest difference that is named
};

struct Fleet {
  double false_alarms = 0, differs_from = 0;  ///< see FleetRequest
  std::string verdict{};
  std::vector<FleetMachine> machines{};
  std::vector<LeftOut> left_out;
  std::vector<OddMachine> odd{};
  std::vector<OddSetting> settings{};
  std::vector<FleetWorkload> workloads{};
  std::vector<FleetFigure> figures{};
};
BOOST_DESCRIBE_STRUCT(Fleet, (),
                      (false_alarms, differs_from, verdict, machines, left_out, odd, settings,
                       workloads, figures))
TRILANE_RANGES(Fleet, Within<&R::false_alarms, &R::differs_from>{{0, 1}},
               Within<&R::verdict>{text_range})

/// Judges the runs of at least one file. Work that fewer than half of the files have is left out;
/// `left_out` names files that could not be read.
Fleet merged_fleet(const std::vector<FleetRun>& runs, std::vector<LeftOut> left_out,
                   const FleetRequest& request);

/// Returns the indices of values that differ from the others by more than the share `least`; none
/// of fewer than 3. At most a quarter can differ. The most extreme value is removed again and
/// again, and compared with the rest by Student's t (Rosner 1983); in at most a share of `alarms`
/// of cases without a difference, some value is found. A value that is less certain than most needs
/// to be as much further away.
std::vector<std::size_t> odd_values(std::span<const LogMean> values, double alarms, double least);

/// Returns tables per workload, the machines that differ, their settings, what was left out, and
/// the verdict.
Page fleet_page(const Fleet& fleet);

/// Returns the fleet as a file: its members, then `runs`, the texts of results files with commas
/// between them.
std::string to_json(const Fleet& fleet, std::string runs);

inline constexpr Schema fleet_schema{"trilane-fleet", 1, 1};

/// Returns the JSON Schema of that file; it leaves the runs to that of results.
boost::json::object fleet_json_schema();

/// Returns the results files in the text of a fleet's file; nothing for another kind of file.
/// Throws std::invalid_argument if it is damaged.
std::optional<std::vector<std::string>> runs_of_fleet(const std::string& text);

}  // namespace trilane
