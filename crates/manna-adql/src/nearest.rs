//! The name that was probably meant.

/// The candidate nearest to `wanted`, if one is near enough to be meant; the first of equals.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let wanted = wanted.to_ascii_lowercase();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let cost = cost(&wanted, &candidate.to_ascii_lowercase())?;
            Some((cost, candidate))
        })
        .reduce(|best, other| if other.0 < best.0 { other } else { best })
        .map(|(_, candidate)| candidate)
}

/// How far apart two lower-case names are; `None` when they have nothing to do with each other.
fn cost(wanted: &str, candidate: &str) -> Option<usize> {
    let length = wanted.chars().count().max(candidate.chars().count());
    let edits = edits(wanted, candidate);
    if edits <= (length / 3).max(1) && edits < length {
        return Some(edits);
    }
    // `gmag` for `phot_g_mean_mag` is out of reach of edits; whole words in common are not.
    let words = |name: &str| -> Vec<String> {
        name.split(|character: char| !character.is_ascii_alphanumeric())
            .filter(|word| word.len() > 1)
            .map(str::to_owned)
            .collect()
    };
    let (wanted, candidate) = (words(wanted), words(candidate));
    let common = wanted
        .iter()
        .filter(|word| candidate.contains(word))
        .count();
    (common > 0).then(|| length + wanted.len() + candidate.len() - 2 * common)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
fn edits(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, &a) in from.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (j, &b) in to.iter().enumerate() {
            let at =
                |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&row, j + 1) + 1)
                .min(at(&next, j) + 1)
                .min(at(&row, j) + usize::from(a != b));
            let swapped =
                i > 0 && j > 0 && from.get(i - 1) == Some(&b) && to.get(j - 1) == Some(&a);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(from.len())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_the_one_meant_or_none() {
        let names = [
            "ra",
            "dec",
            "source_id",
            "phot_g_mean_mag",
            "pmra",
            "parallax",
        ];
        for (wanted, meant) in [
            ("raa", Some("ra")),
            ("RA", Some("ra")),
            ("dce", Some("dec")),
            ("declination", None),
            ("sourceid", Some("source_id")),
            ("paralax", Some("parallax")),
            ("g_mag", Some("phot_g_mean_mag")),
            ("xyzzy", None),
            ("", None),
        ] {
            assert_eq!(nearest(wanted, names), meant, "{wanted}");
        }
    }
}
