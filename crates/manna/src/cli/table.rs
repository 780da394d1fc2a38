//! An inline table as text for a terminal: aligned columns, a line of units.

use serde_json::Value;

/// Widest column that is printed, in characters.
const WIDEST: usize = 40;

/// The table of an inline result, one line a row; empty when `result` holds none.
pub(super) fn render(result: &Value) -> String {
    let list = |key: &str| {
        result
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let columns = list("columns");
    let part = |key: &str| -> Vec<String> {
        columns
            .iter()
            .map(|column| {
                column
                    .get(key)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    };
    let mut lines = vec![part("name"), part("unit")];
    for row in list("rows") {
        let cells = row.as_array().map(Vec::as_slice).unwrap_or_default();
        lines.push(cells.iter().map(plain).collect());
    }
    if lines
        .get(1)
        .is_some_and(|units| units.iter().all(String::is_empty))
    {
        lines.remove(1);
    }
    let width = |index: usize| {
        let cells = lines.iter().filter_map(|line| line.get(index));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let text: Vec<String> = lines.iter().map(|line| align(line, &widths)).collect();
    text.join("\n")
}

fn align(cells: &[String], widths: &[usize]) -> String {
    let padded: Vec<String> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell:<width$}"))
        .collect();
    padded.join("  ").trim_end().to_owned()
}

fn plain(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.replace(['\n', '\t'], " "),
        other => other.to_string(),
    };
    text.chars().take(WIDEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_are_aligned() {
        let result = json!({
            "columns": [{"name": "id", "unit": null}, {"name": "ra", "unit": "deg"}],
            "rows": [["a", 1.5], ["long id", null]],
        });
        assert_eq!(
            render(&result),
            "id       ra\n         deg\na        1.5\nlong id  -"
        );
        assert_eq!(
            render(&json!({"columns": [{"name": "n"}], "rows": [[3]]})),
            "n\n3"
        );
        assert_eq!(render(&json!({})), "");
    }
}
