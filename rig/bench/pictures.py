# SPDX-License-Identifier: GPL-2.0
"""The report's pictures, as SVG, made of the bench's raw results.

python3 -m bench.pictures DIRECTORY draws them again of the raw.jsonl there, and as PNG too.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from bench import fio, stats, wall  # noqa: E402
from bench.records import load, pooled, select  # noqa: E402
from bench.report import Results, SUBJECTS, title  # noqa: E402
from machine.measure import NS_PER_INSTRUCTION  # noqa: E402

# Okabe and Ito's colours, which people with any colour vision can tell apart; shapes
# and hatches say the same again.
LOOK = {("distribution", "stock"): ("#000000", "-", "", "o"), ("threaded", "stock"): ("#D55E00", "--", "//", "s"),
        ("threadirqs", "stock"): ("#CC79A7", ":", "..", "v"), ("distribution", "hardirq"): ("#0072B2", "-", "", "^"),
        ("distribution", "threaded"): ("#E69F00", "--", "\\\\", "D"),
        ("distribution", "adaptive"): ("#009E73", "-.", "xx", "P")}
STYLE = {"font.size": 10, "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True, "figure.dpi": 100,
         "svg.hashsalt": "ufs_unisoc", "svg.fonttype": "path", "axes.spines.top": False,
         "axes.spines.right": False, "legend.frameon": False, "hatch.linewidth": 0.6}


def look_of(boot, subject):
    """Colour, line, hatch and mark; a phone's are those of the kernel that it has."""
    return LOOK["distribution" if boot == "wall" else boot, subject]


def shown(results, what):
    """Those with a look, in its order: the others would say the same again."""
    there = results.subjects(what)
    looks = list(LOOK) + [("wall", subject) for subject in SUBJECTS]
    return [s for s in looks if s in there]


def distribution(axes, counts, scale, look, label):
    """The part of all that was at most so long."""
    total, so_far, xs, ys = sum(counts.values()), 0, [], []
    for value, number in sorted(counts.items()):
        xs.append(value * scale)
        ys.append(100 * so_far / total)
        so_far += number
        xs.append(value * scale)
        ys.append(100 * so_far / total)
    axes.plot(xs, ys, color=look[0], linestyle=look[1], linewidth=1.8, label=label,
              marker=look[3], markevery=[len(xs) // 2], markersize=6)


def latencies(results):
    figure, axes = plt.subplots(figsize=(8, 4.2))
    for boot, subject in shown(results, "latency"):
        distribution(axes, pooled(results.of("latency", "4k", boot, subject)), NS_PER_INSTRUCTION / 1000,
                     look_of(boot, subject), title(boot, subject))
    axes.set(xlabel="CPU time of a single 4 KiB read, us", ylabel="reads that take at most that, %",
             xlim=(45, 85), ylim=(0, 101))
    # Outside, since curves may be anywhere.
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.16), ncols=2)
    axes.set_title("Single reads: how they are distributed", loc="left")
    return figure


def p50_bars(results):
    subjects = shown(results, "latency")
    figures = [results.p50(*s) for s in subjects]
    figure, axes = plt.subplots(figsize=(8, 0.5 * len(subjects) + 1.4))
    for n, (subject, one) in enumerate(zip(subjects, figures)):
        axes.barh(n, one.median, color=look_of(*subject)[0], hatch=look_of(*subject)[2], edgecolor="white",
                  xerr=[[one.median - min(one.rounds)], [max(one.rounds) - one.median]], height=0.65)
        axes.text(one.median + 1, n, f"{one.median:.1f} us, {100 * (one.median / figures[0].median - 1):+.0f} %"
                  if n else f"{one.median:.1f} us", va="center")
    axes.set_yticks(range(len(subjects)), [title(*s) for s in subjects])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set(xlabel="CPU time of a single 4 KiB read, p50, us", xlim=(0, 1.25 * max(f.median for f in figures)))
    axes.set_title("What threading costs a single read, and what comes back", loc="left")
    return figure


def longest_bars(results, what, text, xlabel):
    """The longest of each load, with p99 as a mark in the bar."""
    subjects = shown(results, what)
    loads = list(dict.fromkeys(r["load"] for r in results.records if r["what"] == what))
    figure, axes = plt.subplots(figsize=(8, 0.28 * len(subjects) * len(loads) + 1.8))
    height, greatest = 0.8 / len(subjects), 0
    for m, subject in enumerate(subjects):
        for n, load_ in enumerate(loads):
            counts = pooled(results.of(what, load_, *subject))
            longest, at = max(counts), n + (m - (len(subjects) - 1) / 2) * height
            greatest = max(greatest, longest)
            axes.barh(at, longest, height=0.9 * height, color=look_of(*subject)[0], hatch=look_of(*subject)[2],
                      edgecolor="white", label=title(*subject) if not n else None)
            axes.annotate(f"{longest}", (longest, at), xytext=(4, 0), textcoords="offset points",
                          va="center", fontsize=9)
    axes.set_yticks(range(len(loads)), loads)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set(xlabel=xlabel, xlim=(0, 1.1 * greatest))
    # Outside, since any bar may be long.
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.75 / figure.get_figheight()), ncols=2)
    axes.set_title(text, loc="left")
    return figure


def workload_bars(results, boot, cost, unit):
    """What each workload takes, against the first of those that were measured."""
    records = results.records
    loads = fio.loads(records, boot)
    first, *subjects = fio.subjects(records, boot)
    height = 0.8 / len(subjects)
    figure, axes = plt.subplots(figsize=(8, 0.17 * len(loads) * (len(subjects) + 1) + 1.2))
    for m, subject in enumerate(subjects):
        look = look_of(boot, subject)
        for n, load_ in enumerate(loads):
            base, one = (cost(records, load_, boot, s) for s in (first, subject))
            axes.barh(n + (m - (len(subjects) - 1) / 2) * height, 100 * (one.median / base.median - 1),
                      xerr=50 * (one.spread + base.spread), height=0.9 * height, color=look[0], hatch=look[2],
                      edgecolor="white", error_kw={"linewidth": 1}, label=None if n else title(boot, subject))
    axes.set_yticks(range(len(loads)), loads)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.axvline(0, color="black", linewidth=1)
    axes.set(xlabel=f"{unit}, % more than {title(boot, first)}; lines: spread")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    axes.set_title("Workloads of reports", loc="left")
    return figure


def p50_cost(records, load_, boot, subject):
    runs = select(records, what="fio", load=load_, boot=boot, subject=subject)
    return stats.figure([fio.p50_us(r) for r in runs])


def fio_latencies(results, load_):
    """By fio's percentiles, which are all it keeps; of all rounds the middle one."""
    figure, axes = plt.subplots(figsize=(8, 4.2))
    for subject in fio.subjects(results.records, "wall"):
        runs = [fio.ways(r)[0]["clat_ns"]["percentile"] for r in results.of("fio", load_, "wall", subject)]
        points = sorted(map(float, set.intersection(*map(set, runs))))
        names = {float(key): key for key in runs[0]}
        xs = [stats.figure([run[names[p]] for run in runs]).median / 1000 for p in points]
        colour, line, _, mark = look_of("wall", subject)
        axes.plot(xs, points, color=colour, linestyle=line, marker=mark, markersize=5, linewidth=1.8,
                  label=title("wall", subject))
    axes.set(xlabel="time of a single 4 KiB read, us", ylabel="reads that take at most that, %", ylim=(0, 101),
             xscale="log")
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.16), ncols=2)
    axes.set_title("Single reads: how they are distributed", loc="left")
    return figure


def wall_pictures(results):
    records = results.records
    there = fio.loads(records, "wall")
    for load_ in [one for one in wall.SINGLE if one in there][:1]:
        yield "latency", "Distribution of single 4 KiB reads", lambda: fio_latencies(results, load_)
    if len(fio.subjects(records, "wall")) > 1:
        yield "workloads", "p50 of the workloads of reports", lambda: workload_bars(
            results, "wall", p50_cost, "p50 of a request")


def rig_pictures(results):
    if results.subjects("latency"):
        yield "p50", "p50 of a single 4 KiB read", lambda: p50_bars(results)
        yield "latency", "Distribution of single 4 KiB reads", lambda: latencies(results)
    if results.subjects("section"):
        yield "section", "Longest hard interrupt section", lambda: longest_bars(
            results, "section", "How long the hard interrupt handler is at a time", "longest section, us")
    if select(results.records, what="fio", boot="distribution"):
        yield "workloads", "Instructions for a request of the workloads of reports", lambda: workload_bars(
            results, "distribution", fio.cost, "instructions for a request")


def pictures(results):
    """(name, what it shows, how it is drawn) of those there is something for."""
    yield from rig_pictures(results)
    yield from wall_pictures(results)
    if results.subjects("victim"):
        yield "victim", "Worst delay of an urgent thread", lambda: longest_bars(
            results, "victim", "How late an urgent thread gets the interrupt's CPU", "worst delay, us")


def add_licence(path):
    """In the second line: the first says that it is XML."""
    first, rest = path.read_text().split("\n", 1)
    path.write_text(f"{first}\n<!-- SPDX-License-Identifier: GPL-2.0 -->\n{rest}")


def draw(records, directory, kinds=("svg",)):
    """Draw them all; returns (file name, what it shows) of each."""
    results, drawn = Results(records), []
    with plt.rc_context(STYLE):
        for name, text, make in pictures(results):
            figure = make()
            for kind in kinds:
                figure.savefig(pathlib.Path(directory) / f"{name}.{kind}", bbox_inches="tight",
                               metadata={"Date": None} if kind == "svg" else None)
                if kind == "svg":
                    add_licence(pathlib.Path(directory) / f"{name}.svg")
            plt.close(figure)
            drawn.append((f"{name}.{kinds[0]}", text))
    return drawn


if __name__ == "__main__":
    draw(load(pathlib.Path(sys.argv[1]) / "raw.jsonl"), sys.argv[1], ("svg", "png"))
