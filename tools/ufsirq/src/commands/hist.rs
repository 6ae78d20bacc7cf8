// SPDX-License-Identifier: GPL-2.0

//! `ufsirq hist`: histograms as bars.

use std::io::Write;

use crate::{
    error::{
        Error,
        Result, //
    },
    format,
    histogram::{
        Bucket,
        Histogram, //
    },
    host::{
        Host,
        SECTIONS,
        WAKEUPS, //
    },
    out::Out,
    roots::Roots, //
};

/// The length of the longest bar.
const WIDTH: u64 = 40;

/// Prints both histograms of each host that is meant.
pub(crate) fn run<W: Write>(out: &mut Out<W>, roots: &Roots, host: &str) -> Result<()> {
    for (n, host) in Host::pick(roots, host)?.iter().enumerate() {
        // For its reasons, which are the same for all files there.
        host.counters(roots)
            .map_err(|reason| Error::failed(format!("{}: {}", host.name, reason.text(roots))))?;
        if n > 0 {
            out.line("")?;
        }
        out.line(&host.name)?;
        show(out, "length of hard-IRQ sections", host.histogram(SECTIONS))?;
        show(
            out,
            "hard IRQ to start of the thread",
            host.histogram(WAKEUPS),
        )?;
    }
    Ok(())
}

/// Prints a histogram.
fn show<W: Write>(out: &mut Out<W>, title: &str, histogram: Option<Histogram>) -> Result<()> {
    let Some(histogram) = histogram else {
        return out.line(format_args!("  {title}: not counted by this driver"));
    };
    let total = histogram.total();
    let (Some(median), Some(p99)) = (histogram.quantile(50), histogram.quantile(99)) else {
        return out.line(format_args!("  {title}: none yet{}", senseless(&histogram)));
    };
    out.line(format_args!(
        "  {title}: {total}, median {median}, 99th percentile {p99}{}",
        senseless(&histogram)
    ))?;
    for bucket in shown(&histogram.buckets) {
        let high = bucket
            .high
            .map_or_else(|| "inf".to_owned(), |h| h.to_string());
        out.line(format_args!(
            "    {:>8} {:<8} {:>12}  {}",
            bucket.low,
            format!("- {high} us"),
            bucket.count,
            bar(bucket.count, &histogram)
        ))?;
    }
    Ok(())
}

/// Returns a remark on lines that could not be read, if there are any.
fn senseless(histogram: &Histogram) -> String {
    match histogram.senseless_lines {
        0 => String::new(),
        n => format!(
            "; {} made no sense and were left out",
            format::plural(n.try_into().unwrap_or(u64::MAX), "line")
        ),
    }
}

/// Returns the buckets from the first to the last that is not empty.
fn shown(buckets: &[Bucket]) -> &[Bucket] {
    let first = buckets.iter().position(|b| b.count > 0);
    let last = buckets.iter().rposition(|b| b.count > 0);
    match (first, last) {
        (Some(first), Some(last)) => buckets.get(first..=last).unwrap_or_default(),
        _ => &[],
    }
}

/// Returns a bar; also a single one in a million is seen.
fn bar(count: u64, histogram: &Histogram) -> String {
    let most = histogram.buckets.iter().map(|b| b.count).max().unwrap_or(0);
    let length = (u128::from(count) * u128::from(WIDTH)).div_ceil(u128::from(most.max(1)));
    // CAST: At most WIDTH.
    "#".repeat(length as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_counts_are_large() {
        let h = Histogram::parse(&format!("0 1 0\n1 2 {}\n2 4 1\n4 inf 0\n", u64::MAX));
        assert_eq!(bar(u64::MAX, &h).len(), 40);
        assert_eq!(bar(u64::MAX / 2, &h).len(), 20);
        assert_eq!((bar(1, &h), bar(0, &h)), ("#".to_owned(), String::new()));
        assert_eq!(shown(&h.buckets).len(), 2);
        assert_eq!(shown(&[]), &[]);
        assert_eq!(bar(0, &Histogram::default()), "");
    }
}
