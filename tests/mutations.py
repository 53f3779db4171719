"""Plants one mistake at a time and runs the unit tests on it.

    tests/mutations.py [BUILD [PATH]] a build folder of Ninja's in which unit_tests, cli_tests
                                      and trilane-sim are up to date; only files whose path
                                      contains PATH

Each mistake is one replacement in one source file. It is compiled by itself and linked in front of
the libraries, so that neither the sources nor the build folder change. What unit_tests does not
catch and a command line shows is tried with cli_tests on the program. Ends with 1 when the tests
miss a mistake, when the text that one replaces is not there exactly once, or when a program lacks
one of the suites.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import mutations_of_answers

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = ("limiters,limitation,bounds,limit,models,report_bounds,best_cut,next_steps,doubts,"
          "slow_rounds_of_a_host,statistics,interval")
LIMITS = "common/explain/analysis/verdict/"
ROUNDS = "common/measure/rounds/"
ROUNDS_SUITES = "contest,harness,pricing,race,pace_of_turns,variants_in_processes_of_their_own"

# File: the text in it, and the mistake that replaces it.
MUTATIONS = {
    LIMITS + "loads.cpp": [
        ("rest_on_first ? rest : 0", "rest"),
        ("kernels_us_(launches_graph(model) ?", "kernels_us_(!launches_graph(model) ?"),
        ("launches_graph(model) ? t.graph_work_us", "false ? t.graph_work_us"),
        ("if (is_brief(shape) || t.graph", "if (t.graph"),
        (" || t.graph_work_us == 0", ""),
        ("std::min(t.graph_work_us, t.steady_work_us)", "t.graph_work_us"),
        ("std::min(t.graph_work_us, t.steady_work_us)", "t.steady_work_us"),
        ("follows_data_ ? shape.lanes * t_.clear_us : 0", "0"),
        ("alone = kernels_us_ + (follows_data_ ? 0 : t_.clear_us)", "alone = kernels_us_"),
        ("short_us * shape.depth", "short_us"),
        ("if (chunks <= 1) return;", ""),
        ("std::max(t_.copy_in_us, t_.copy_out_us + t_.clear_us)", "t_.copy_in_us"),
        ("if (shape_.one_copy_engine) add", "add"),
        ("(rest > 0 ? rest : 1) * t_.copy_out_us", "t_.copy_out_us"),
        ("if (!shape.crowded && !early) return std::nullopt;", "if (!early) return std::nullopt;"),
        ("std::max(lane_chunks(shape) * t.graph_kernels_us,", "std::max(0.0,"),
        ("copies_in_turn, copies + kernels,", "copies_in_turn, kernels,"),
        ("in_us + out_us + whole.arithmetic_us}", "in_us + out_us}"),
        ("std::max(shape.whole.link_in_us, shape.whole.link_out_us)", "shape.whole.link_out_us"),
        ("Limiter::sms, kernels, whole.arithmetic_us", "Limiter::sms, kernels, kernels"),
        ("Limiter::sms, kernels_of_lanes_us(shape), ",
         "Limiter::sms, shape.whole.arithmetic_us, "),
        ("m.plan.blocks ? std::nullopt", "false ? std::nullopt"),
        ("workload.result_bytes < enough_bytes", "workload.result_bytes <= enough_bytes"),
        ("workload.chunk_bytes >= many", "workload.chunk_bytes > many"),
        ("us / std::max(1u, m.plan.host_threads)", "us"),
        ("us / std::max(1u, m.plan.host_threads), m.submit->min",
         "us / std::max(1u, m.plan.host_threads), m.submit->p99"),
        ("max_element(loads, {}, &Load::bound_us)", "max_element(loads, {}, &Load::us)"),
        ("limit->bound_by == Limiter::sms && ", ""),
        ("std::min(bound->us, m.wall->min)", "bound->us"),
        ("if (bound->us > m.wall->min) m.bound_by_rates_us", "m.bound_by_rates_us"),
    ],
    LIMITS + "limitation.cpp": [
        ("most_of_it = 0.5", "most_of_it = 0.4"),
        ("short_pass_us = 5 * short_us", "short_pass_us = 50 * short_us"),
        ("max_element(loads, {}, &Load::us)", "max_element(loads, {}, &Load::bound_us)"),
        ("if (!waits_each_time(m.plan.model)) return std::nullopt;", "return std::nullopt;"),
        ("case ScratchSource::cuda_malloc:\n", "case ScratchSource::cuda_malloc: break;\n"),
        ("worth_it = 0.9", "worth_it = 0.99"),
        ("explained = 0.8", "explained = 0.9"),
        ("wall - now->us + reserve", "reserve"),
        ("? 1.7 : 1.25", "? 1.25 : 1.25"),
        ("? 1.7 : 1.25", "? 1.6 : 1"),
        ("if (model.scratch == ScratchSource::cuda_malloc) return false;", ""),
        ("if (model.mover != Mover::engines_per_chunk) return false;", ""),
        ("case Chaining::recorded_memory:\n    case Chaining::engines: return false;",
         "case Chaining::recorded_memory:\n    case Chaining::engines: return true;"),
        ("case Order::breadth_first: return a_chunk * shape.lanes;",
         "case Order::breadth_first: return a_chunk;"),
        ("if (measured && can_be_cut", "if (can_be_cut"),
        ("host * chunks / comparison.workload.chunks()", "host"),
        ("workload.result_bytes != workload.chunk_bytes", "false"),
    ],
    LIMITS + "pipelined.cpp": [
        ("std::max(alone, chunks * steady)", "chunks * steady"),
        ("slowed.in + slowed.out < 1", "true"),
        ("ends * (work_us + t.copy_out_us)", "ends * work_us"),
        ("most_longer = 1.5", "most_longer = 1.4"),
        ("{&ChunkTimes::kernels_us, ", "{"),
        ("crowded ? uncrowded(measured) : measured", "crowded ? measured : measured"),
        ("if (rest == 0) return overlap;", "return overlap;"),
        ("if (chunks == 1) limit.bound_by = Limiter::one_chunk;", ""),
    ],
    "common/explain/analysis/verdict/derive.cpp": [
        ("found->value >= promise->least && ", ""),
        (" && found->value <= promise->most", ""),
        ("std::min(limit.steady_in_us, limit.steady_out_us)", "limit.steady_in_us"),
        ("std::max(limit.steady_work_us, limit.steady_out_us)", "limit.steady_out_us"),
        ("limit.kernels_us / limit.copy_in_us", "limit.kernels_us / limit.copy_out_us"),
    ],
    ROUNDS + "contest.cpp": [
        ("ratio.low - (1 + margin) > ratio.high - ratio.low", "ratio.low > 1 + margin"),
        ("ratio.low - (1 + margin) > ratio.high - ratio.low", "ratio.estimate > 1 + margin"),
        ("std::min(ratio.low, ratio.estimate - reach)", "ratio.low"),
        (" || is(Change::pool, model)", ""),
        ("is(Change::graph, model) || ", ""),
        ("leaders[tier_of(m.plan.model)];", "leaders[Tier::rewritten];"),
        ("std::max(3u, rounds / 2)", "1"),
        ("if (is_narrow(cautious_ratio(ratios), precision_)) continue;", "continue;"),
        ("ratio.low > far || ", ""),
        (" || ratio.high < 1 / far", ""),
        ("is_far ? far_precision : 1", "far_precision"),
        ("!(over_leader(m, leaders).estimate > 1 + lost_by)", "true"),
    ],
    ROUNDS + "harness.cpp": [
        ("if (dropped_[variant] && !after) after = rounds_;", "if (!after) after = rounds_;"),
        ("if (dropped_[variant] && !after) after", "if (dropped_[variant]) after"),
        ("if (!dropped_[variant] && !is_warm())", "if (!is_warm())"),
        ("if (!dropped_[variant] && !is_warm())", "if (!dropped_[variant])"),
        ("if (dropped_[variant]) continue;", ""),
        ("std::max(least_seconds(), settings_.seconds)", "settings_.seconds"),
    ],
    "common/explain/statistics/interval.cpp": [
        ("std::fill_n(moved.begin(), out, moved[out]);", ""),
        ("std::fill_n(moved.rbegin(), out, moved[moved.size() - 1 - out]);", ""),
        ("variance * (n - 1) / (rest * (rest - 1)), rest - 1", "variance / n, rest - 1"),
        ("variance * (n - 1) / (rest * (rest - 1)), rest - 1",
         "variance * (n - 1) / (rest * (rest - 1)), n - 1"),
        ("const double of_all = middle_mean(means);", "const double of_all = mean(means);"),
    ],
    "common/measure/harness/apart_bench.cpp": [
        ("  ask(workers_, variant, {.ask = Ask::open, .workload = workload_, "
         ".rounds = rounds_});\n", ""),
        ("throw_failure(reply);", ""),
    ],
    "common/measure/harness/measure_alone.cpp": [
        ("if (roster.takes_part(variant)) bench.new_input();", ""),
        ("attempt([&] { checks.plan(variant); });", ""),
        ("comparison.batch = batch_alone(m.first_pass_us, comparison.batch);", ""),
        ("plan.untimed = plan.more_untimed = 0;", ""),
        ("m.samples.clear();", ""),
        ("const bool took_part = roster.takes_part(variant)", "const bool took_part = true"),
        ("= meanwhile.all_took_part(took_part) ||", "= meanwhile.all_took_part(took_part) || true ||"),
    ],
    ROUNDS + "bench.cpp": [
        ("1.0 * runs_of_sample * pace.turn", "1.0 * pace.turn"),
        ("std::max(seconds * us_per_second - warm_after_us, least_us)", "least_us"),
        (".more_untimed = untimed,", ""),
        ("std::clamp(most_us / pass_us, 1.0, 1.0 * batch)", "1.0 * batch"),
        ("(shortest < long_pass_us ? 1 : 0)", "1"),
        ("while (pace.turn > 1 && too_long()) --pace.turn;", ""),
        ("while (pace.batch > 1 && too_long()) --pace.batch;", ""),
    ],
    "common/explain/statistics/series.cpp": [
        ("(1 + slowed_by)", "1"),
        ("i + reach + 1", "i + 1"),
        ("sorted.size() / 10", "0"),
    ],
    "common/explain/analysis/verdict/doubts.cpp": [
        ("  if (!has_wide_intervals(comparison)) return false;\n", ""),
        ("4 * slow > rounds", "5 * slow > rounds"),
        ("turns_us[s.process][one_round ?", "turns_us[0][one_round ?"),
        ("one_round ? variant : s.round", "s.round"),
    ],
    "common/measure/harness/pricing.cpp": [
        ("pass_us < long_pass_us ? settings.fewest_passes : 1", "settings.fewest_passes"),
        ("if (!dropped || pricing.set_ups(variant) < settings.fewest)", ""),
    ],
    "common/model/workload/workload.cpp": [
        ("kernels, 0.75, 1.33", "kernels, 0.75, 13.3"),
        ("submission, 0.9, any", "submission, 0.999, any"),
    ],
    "common/model/variant/model.cpp": [
        ("{copies_of_pass(workload), stages.clears,", "{chunks * stages.copies(), stages.clears,"),
    ],
}


def commands(build):
    """Returns how Ninja compiles a file of common/, as words, and links unit_tests and
    trilane-sim."""
    programs = ("tests/unit_tests", "trilane-sim")
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", *programs], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    compiling = next(line for line in lines  # not of the precompiled header
                     if re.search(r"trilane_analysis\.dir\S+ -c \S+\.cpp$", line))
    links = [step for line in lines for step in line.split(" && ")]
    return (shlex.split(compiling),
            *(next(step for step in links if f" -o {program} " in step) for program in programs))


def compile_by_itself(build, command, source, target):
    """The words of `command`, for another source; False when that does not compile."""
    words = list(command)
    words[words.index("-c") + 1], words[words.index("-o") + 1] = str(source), str(target)
    for option in ("-MF", "-MT"):  # leave the build's dependency files alone
        if option in words:
            words[words.index(option) + 1] = f"{target}.d"
    done = subprocess.run([*words, "-O0", "-Wno-error"], cwd=build, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr)
    return done.returncode == 0


def link_before_all(build, linking, replaced, target):
    """A program with that object in front: what it defines counts, whatever a library has."""
    compiler, rest = linking.split(" ", 1)  # whole archives stand before other objects
    rest = re.sub(r" -o \S+ ", f" -Wl,--allow-multiple-definition -o {target} ", rest, count=1)
    subprocess.run(f"{compiler} {replaced} {rest}", cwd=build, shell=True, check=True)


def passes(program, suites):
    """Returns true if these suites pass in that program."""
    return subprocess.run([program, f"--run_test={suites}"], capture_output=True,
                          check=False).returncode == 0


def passes_as_program(build, program, suites):
    """Returns true if that program passes these suites of cli_tests."""
    return subprocess.run([build / "tests/cli_tests", f"--run_test={suites}"], capture_output=True,
                          env={**os.environ, "TRILANE_PROGRAM": str(program)},
                          check=False).returncode == 0


def all_mutations():
    """Yields the suites of unit_tests and of cli_tests that may catch mistakes in a file, the file,
    and the mistakes. A file may come twice, with different suites."""
    for path, mutations in MUTATIONS.items():
        measures = path.startswith((ROUNDS, "common/measure/harness/"))
        yield ROUNDS_SUITES if measures else SUITES, "", path, mutations
    for suites, cli_suites, files in mutations_of_answers.GROUPS:
        for path, mutations in files.items():
            yield suites, cli_suites, path, mutations


def joined(lists):
    """Returns the suites of all lists in one."""
    return ",".join(sorted({suite for one in lists for suite in one.split(",") if suite}))


def refuse_unknown(program, suites):
    """Ends with a message if the program lacks one of the suites."""
    listed = subprocess.run([program, "--list_content"], check=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True).stdout
    unknown = set(suites.split(",")) - set(re.findall(r"^\w+", listed, re.MULTILINE))
    if unknown:
        sys.exit(f"{program} has no suite {', '.join(sorted(unknown))}: correct the lists here")


def outcome(build, folder, found, suites, cli_suites, path, old, new):
    """Returns "caught", or why not."""
    text = (ROOT / path).read_text()
    if text.count(old) != 1:
        return f"NOT APPLIED: stands there {text.count(old)} times"
    source, compiled, program = (folder / name for name in ("mutant.cpp", "mutant.o", "mutant"))
    source.write_text(text.replace(old, new))
    if not compile_by_itself(build, found[0], source, compiled):
        return "NOT APPLIED: does not compile"
    link_before_all(build, found[1], compiled, program)
    if not passes(program, suites):
        return "caught"
    if not cli_suites:
        return "MISSED"
    program = folder / "trilane-sim"  # cli_tests checks the name
    link_before_all(build, found[2], compiled, program)
    return "MISSED" if passes_as_program(build, program, cli_suites) else "caught"


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    chosen = [one for one in all_mutations() if only in one[2]]
    suites = joined(suites for suites, _, _, _ in all_mutations())
    cli_suites = joined(cli_suites for _, cli_suites, _, _ in all_mutations())
    refuse_unknown(build / "tests/unit_tests", suites)
    refuse_unknown(build / "tests/cli_tests", cli_suites)
    if not passes(build / "tests/unit_tests", suites):
        sys.exit(f"{build}/tests/unit_tests fails without any mistake: mend it, or build it, first")
    if (any(cli_suites for _, cli_suites, _, _ in chosen)
            and not passes_as_program(build, build / "trilane-sim", cli_suites)):
        sys.exit(f"{build}/tests/cli_tests fails without any mistake: mend it, or build it, first")
    found = commands(build)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for suites, cli_suites, path, mutations in chosen:
            for old, new in mutations:
                results.append(outcome(build, pathlib.Path(folder), found, suites, cli_suites, path,
                                       old, new))
                print(f"{results[-1]}: {path}: {old.strip()} -> {new.strip() or '(nothing)'}",
                      flush=True)
    caught = results.count("caught")
    print(f"{caught} of {len(results)} mutations were caught")
    return caught != len(results)


if __name__ == "__main__":
    sys.exit(main())
