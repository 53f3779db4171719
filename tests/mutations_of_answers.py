"""Mistakes for mutations.py in what a person reads first: the screen, its answers, predictions and
the command line. For each group the suites of unit_tests and of cli_tests that may catch them; for
each file what stands there, and the mistake in its place."""

SCREEN = "common/explain/report/"
VERDICT = "common/explain/analysis/verdict/"
OPTIONS = "common/commands/options/"

ON_SCREEN = ("screens", "", {
    SCREEN + "screen.cpp": [
        ("results.context.simulated.empty() ? Times::measured", "true ? Times::measured"),
        ("if (details > 1) add(", "add("),
        ("if (details == 0) return;", ""),
        ("most > 0 && lines_beside_label(answer) > lines", "false"),
        ("if (most-- == 0) break;", ""),
        ("if (room.rows > fewest) {", "if (false) {"),
        ("one && room.details > 0 ? few_rows : 1", "1"),
        ("Page page = alarms(results, 2);\n  for", "Page page;\n  for"),
        ('if (!more.empty()) page.push_back(limited("More"', 'if (false) page.push_back(limited("More"'),
        ("add_doubts(page, results, one ? 3 : 5);", ""),
        ("lines_beside_label(part.text) > lines", "lines_of({part}) > lines + 1"),
        ('LabelledText{"CUT SHORT", text}', 'LabelledText{"", text}'),
        ("return clipped(label_among(comparison, all), widest);",
         "return clipped(comparison.workload.name, widest);"),
    ],
    SCREEN + "screen_summary.cpp": [
        ("tally.unchecked += m.checked_passes == 0;", ""),
        ("case Status::not_run: tally.not_run.push_back(name); break;",
         "case Status::not_run: break;"),
        ("if (m.status != Status::not_supported) continue;", ""),
        ("if (found == groups.end()) found", "found"),
        ("} else if (tally.failed.empty()) {", "} else if (true) {"),
        ("if (tally.ok == 0) {", "if (false) {"),
        ('"interrupted") cut =', '"never") cut ='),
        ("processes > 1 ?", "processes > 2000 ?"),
        ("std::ranges::any_of(results.comparisons, is_predicted)", "false"),
        ("seconds += comparison.seconds;", "seconds = comparison.seconds;"),
        ('case Mode::latency: return "";', "case Mode::latency:"),
    ],
    SCREEN + "screen_rows.cpp": [
        ("columns.size() > few", "columns.size() > 100"),
        ("if (m.variant == reference ||", "if (false ||"),
        ("winner->tier == Tier::moved_together ? moved_mark", "false ? moved_mark"),
        ("common != comparison.reference) return", "false) return"),
        ("if (table.rows.size() == most) break;", ""),
        ("comparisons.size() - table.rows.size()", "table.rows.size() - table.rows.size()"),
        ('predicted ? "." :', 'false ? "." :'),
        ("m && was_timed(*m) && m->wall ? speed_cell", "m && m->wall ? speed_cell"),
        ('return speed == not_told ? speed :', "return false ? speed :"),
        ("m.ratio->covers == Covers::model_error ? not_told", "false ? not_told"),
        ('if (m.variant == comparison.reference) return "same";', ""),
        ("said_speed(1 / m.ratio->estimate)", "said_speed(m.ratio->estimate)"),
        ('row[c] == "-"', "false"),
        ("if (went_wrong(m.status)) return 1;", ""),
        ("if (&m == find_change(comparison, change)) return 3;", ""),
        ("std::ranges::sort(all, {}, [](const Measurement* m) { return m; });", ""),
        ("if (m.status != Status::ok) return name_of(m.status);", ""),
        ("if (!decides(*m.ratio)) return", "if (false) return"),
        ("short_speed(1 / m.ratio->high)", "short_speed(1 / m.ratio->low)"),
        ("range_words(covers_of(comparison)).range", '"95%"'),
    ],
})

ANSWERS = ("answers,groups,find", "", {
    VERDICT + "answers.cpp": [
        ("case Pays::never: return speed(seen) +", "case Pays::never: return speed(seen); case Pays{99}: return speed(seen) +"),
        ("std::abs(std::log(seen.ratio.estimate))", "seen.ratio.estimate"),
        ("if (nothing.size() == all.size()) {", "if (false) {"),
        ("if (comparison.workload.used_lanes() < 2) return nullptr;", ""),
        ("m.plan.model == multi_stream && m.timeline", "m.timeline"),
        ("return shortened(parts, most);", "return shortened(parts);"),
        ("overlap.of == name_of(Activity::memset) && ", ""),
        ("std::max({kernels, copies_in, copies_out})", "kernels"),
        ("return ratio->low > 1 && ratio->estimate >= 1.01", "return ratio->estimate >= 1.01"),
        ("ratio->estimate >= 1.01", "ratio->estimate >= 1.0"),
        ("if (!ratio || !decides(*ratio)) return", "if (!ratio) return"),
        ("(1 - ratio->estimate)", "(ratio->estimate - 1)"),
        ("reference ? m.ratio : ratio_over(m, *base)", "m.ratio"),
        ("reference ? m.break_even : std::nullopt", "m.break_even"),
        ('label.replace(at, 2, "/");', "at += 2;"),
    ],
    "common/model/variant/model.cpp": [
        ("case Change::engines: changed.chaining = Chaining::engines; break;",
         "case Change::engines: break;"),
    ],
    VERDICT + "answers_costs.cpp": [
        ("|| trimmed.size() > 1", ""),
        ("policies.size() > 1 ||", ""),
        ("if (several && change != Change::cuda_malloc) continue;", ""),
        ("if (has_unit && told)", "if (false)"),
        ("std::ranges::max_element(all, {}, by_cost)", "std::ranges::min_element(all, {}, by_cost)"),
        ("changed.size() == all.size() ? told", "true ? told"),
        ("c == &first || ", ""),
        ("other.to == like.to", "true"),
        ("m.wall->mean < fastest->wall->mean", "m.wall->mean > fastest->wall->mean"),
        ("costs.emplace_back(us / before,", "costs.emplace_back(before / us,"),
        ("groups.size() == 1 ? on_one", "true ? on_one"),
    ],
})

PREDICTIONS = ("predict,fit_error,wall_ratios,break_even,doubts,winners,verdicts,race,screens", "simulated", {
    "common/measure/harness/predict.cpp": [
        ("if (listener.interrupted()) throw Interrupted();", ""),
        (".fewest_passes = 2, .most_passes = 2", ".fewest_passes = 3, .most_passes = 3"),
        ("bench.sample(variant, comparison.batch)", "bench.sample(variant, 1)"),
        ("comparison.rounds = 1;", ""),
        ("summarise(comparison);", ""),
        ("m.first_pass_us = m.price->passes_us.front().front();", ""),
        (": roster.left() > 0    ? \"predicted\"", ": true ? \"predicted\""),
        ("if (!why.empty()) throw", "if (false) throw"),
    ],
    "common/explain/analysis/verdict/fit_error.cpp": [
        ("std::ceil(factor * digits)", "std::floor(factor * digits)"),
        ("covered = 0.95", "covered = 0.5"),
        ("std::max(one->tier(), other->tier())", "std::min(one->tier(), other->tier())"),
        ("std::abs(one->log_error() - other->log_error())",
         "std::abs(one->log_error() + other->log_error())"),
        ("if (real > 0 && foretold > 0)", "if (real > 0)"),
        ("m.break_even && m.break_even->pays == Pays::later", "m.break_even.has_value()"),
        ("if (measured.size() != predicted.size()) {", "if (false) {"),
        ("other && was_timed(*other) && was_timed(m)", "other && was_timed(m)"),
        ("find_break_even(predicted);", ""),
        ("case Tier::moved_together: return error.moved_together;",
         "case Tier::moved_together: return error.same_operations;"),
    ],
    "common/explain/statistics/ratio.cpp": [
        ("std::max(*one.ratio_error, *other.ratio_error)",
         "std::min(*one.ratio_error, *other.ratio_error)"),
        ("if (!one.ratio_error || !other.ratio_error) return std::nullopt;",
         "if (!one.ratio_error) return other.ratio_error; if (!other.ratio_error) return one.ratio_error;"),
        ("estimate / factor, estimate * factor", "estimate, estimate"),
        ("ratio.covers = Covers::model_error;", ""),
        ("if (!m.prediction || !base.prediction)", "if (true)"),
        ("m.samples.empty() || base.samples.empty()", "base.samples.empty()"),
    ],
    VERDICT + "break_even.cpp": [
        ("!variant.prediction || !variant.ratio->tie()", "true"),
        ("factor ? *result.passes / *factor : 0", "factor ? *result.passes / *factor : *result.passes"),
        ("if (factor) result.high = *result.passes * *factor;", "result.high = *result.passes;"),
        ("variant.prediction ? 1 : 2", "1"),
        ("result.covers = Covers::model_error;", ""),
    ],
    VERDICT + "verdict_choice.cpp": [
        ("first.prediction ? \"no gain", "false ? \"no gain"),
        ("if (!decided(all)) {", "if (false) {"),
        ("if (all.size() == 1) {", "if (false) {"),
        ("if (reference.prediction) {", "if (false) {"),
        ("!decides(*ratio) || !ratio->tie()", "!ratio->tie()"),
        ("after < 0.9 * before", "after < 0.5 * before"),
        ("if (from.plan.blocks || to.plan.blocks)", "if (false)"),
        ("!(plainer || clearly_faster(*m, advised))", "!clearly_faster(*m, advised)"),
    ],
    "common/measure/sweep/standing.cpp": [
        ("if (leader->prediction) return", "if (false) return"),
        ("reference && as_good(*reference)", "reference"),
        ("if (faster == standing.ratios.end()) return standing;", "return standing;"),
    ],
})

COMMANDS = ("options,settings_of_processes,unread_options,axis",
            "bad_input", {
    "common/commands/commands.cpp": [
        ("return simulated ? for_the_simulated : for_a_gpu;", "return all;"),
        ("return simulated ? for_the_simulated : for_a_gpu;", "return for_a_gpu;"),
    ],
    OPTIONS + "command_line.cpp": [
        ("if (count > operands.most) {", "if (false) {"),
        ("if (count < operands.least) {", "if (false) {"),
        ('std::ranges::find(given.operands(), "") != given.operands().end()', "false"),
        ("is_one_of(names_of_commands(!caller.simulated))", "false"),
        ("if (simulated && takes(groups, option::device.name)) {", "if (simulated) {"),
        ("simulation_group(takes(groups, option::mode.name))", "simulation_group(true)"),
        ("if (option == other.name) return", "if (false) return"),
        ("if (takes(other.groups, option)) others.push_back(other.name);", ""),
    ],
    OPTIONS + "given.cpp": [
        ("if (text.size() > 1 && text.front() == '-') throw", "if (false) throw"),
        ("!values_.emplace(option.string_key, text).second", "!values_.emplace(option.string_key, text).second && false"),
        ("if (has(name) && values_.at(name).empty()) refuse", "if (false) refuse"),
        ("if (has(name)) refuse_option", "if (false) refuse_option"),
    ],
    OPTIONS + "chosen_workloads.cpp": [
        ('name == "depth" ? Order::depth_first', "true ? Order::depth_first"),
        ("policies->size() == 1", "policies->size() >= 1"),
        ("modified = knobs_given && stated;", "modified = stated;"),
        ("knobs_given && !given.has(\"preset\")", "knobs_given"),
        ('text.find("..") != text.npos', "false"),
        ("if (named.size() > 1) given.forbid", "if (false) given.forbid"),
    ],
    OPTIONS + "run_options.cpp": [
        ("if (policies.size() < 2) policies.clear();", ""),
        ("if (!is_chosen(*name)) {", "if (false) {"),
        ('return is_chosen("streams") ? "streams" : "";', 'return "streams";'),
        ("comparison.only_intervals = true;", ""),
        ("given.operands().size() > 1 ? map_seconds", "true ? map_seconds"),
        ("if (options.comparison.reference.empty()) {", "if (false) {"),
        ("options.comparison.effort = Effort::measure;", ""),
    ],
    OPTIONS + "measuring_options.cpp": [
        ("if (std::ranges::find(own, name) != own.end()) continue;", ""),
        ('!caller.simulated || given.has("check")', "!caller.simulated"),
        ('name == "throughput" ? Mode::throughput', "false ? Mode::throughput"),
        ("*time_us / 1e6", "*time_us"),
        ("options.comparison.wait = options.processes.settings.front().wait;", ""),
    ],
    OPTIONS + "setting_conflicts.cpp": [
        ('.value_or(1) > 1) check_merging(given, "processes");', '.value_or(1) > 9999) check_merging(given, "processes");'),
        ("if (text.find(',') != std::string::npos) check_merging(given, option);", ""),
        ('if (!given.has("rounds")) return;', "return;"),
        ("if (!given.has(other)) continue;", "continue;"),
        ("given.forbid(option, \"names several;", "if (false) given.forbid(option, \"names several;"),
    ],
    OPTIONS + "sweep_options.cpp": [
        ("if (request.rows->knob == knobs.front()) {", "if (false) {"),
        ("knob == \"kernel-time\" ? \"rounds\"", "false ? \"rounds\""),
        ("return chosen.empty() ? known : chosen;", "return chosen;"),
        ('"time", ', ""),
    ],
    OPTIONS + "file_conflicts.cpp": [
        ('return one == "-" || other == "-" ? one == other :', "return"),
        ("fs::weakly_canonical(fs::absolute(name, error), error)", "fs::path(name)"),
    ],
    "common/commands/runs/unread.cpp": [
        ("other.lanes = workload.lanes + 1;", ""),
        ("contenders(comparison).size() < 2", "false"),
        ('if (operand.starts_with("lanes="))', "if (false)"),
        ("if (!readers(chosen(comparison), depends_on_policy).empty()) return;", "return;"),
    ],
})

FILES = ("options", "simulated", {
    "common/commands/validate.cpp": [
        ("if (results.context.simulated.empty()) return results;", "return results;"),
        (".programs = Programs::simulated,", ""),
    ],
})

GROUPS = (ON_SCREEN, ANSWERS, PREDICTIONS, COMMANDS, FILES)
