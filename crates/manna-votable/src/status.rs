//! What the service says about its own answer: `QUERY_STATUS` (DALI 1.1, section 4.4) and the `Error` of cone and
//! image searches (SCS 1.03, section 2.3).

use crate::model::{Info, Param, Place};

/// The status of a resource, or of the document: the worst that was said in it, before or after the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryStatus {
    /// `OK`
    Ok,
    /// `OVERFLOW`: the rows are good, and not all there are.
    Overflow,
    /// `ERROR`, with the service's words. Rows that came with it are to be taken as incomplete.
    Error(String),
}

impl QueryStatus {
    /// Bytes of an error's text that are kept.
    pub const MAX_TEXT: usize = 4_096;

    /// What an `INFO` says about the status. `Err` if it is a status nobody knows.
    pub(crate) fn of_info(info: &Info) -> Result<Option<Self>, ()> {
        if info.name.trim().eq_ignore_ascii_case("QUERY_STATUS") {
            return Self::of_query_status(info).map(Some);
        }
        if is_error_name(&info.name, info.place) {
            let text = [&info.value, &info.text]
                .into_iter()
                .find(|t| !t.trim().is_empty());
            return Ok(text.map(|text| Self::Error(cut(text.trim()))));
        }
        Ok(None)
    }

    /// What a `PARAM` says about the status.
    pub(crate) fn of_param(param: &Param) -> Option<Self> {
        let value = param.value.trim();
        (is_error_name(&param.field.name, param.place)
            && param.group.is_none()
            && !value.is_empty())
        .then(|| Self::Error(cut(value)))
    }

    fn of_query_status(info: &Info) -> Result<Self, ()> {
        let (value, text) = (info.value.trim(), info.text.trim());
        // Some write the status as the element's text and leave the attribute out.
        let (value, text) = if value.is_empty() {
            (text, "")
        } else {
            (value, text)
        };
        let word_end = value
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(value.len());
        let (word, tail) = value.split_at(word_end);
        match word.to_ascii_uppercase().as_str() {
            "OK" => Ok(Self::Ok),
            "OVERFLOW" => Ok(Self::Overflow),
            "ERROR" => {
                let tail = tail.trim_matches(|c: char| c == ':' || c.is_whitespace());
                let description = info.description.as_deref().unwrap_or_default();
                let message = [text, tail, description]
                    .into_iter()
                    .find(|t| !t.is_empty());
                Ok(Self::Error(cut(message.unwrap_or_default())))
            }
            _ => Err(()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Overflow => 1,
            Self::Error(_) => 2,
        }
    }
}

/// A table may describe errors of its own in a column group; only the document and its resources fail.
fn is_error_name(name: &str, place: Place) -> bool {
    place != Place::Table && name.trim().eq_ignore_ascii_case("error")
}

fn cut(text: &str) -> String {
    text.get(..text.floor_char_boundary(QueryStatus::MAX_TEXT))
        .unwrap_or_default()
        .to_owned()
}

/// Takes a status into account: the worst stays, errors add up line by line (VizieR writes one `INFO` a line).
pub(crate) fn merge(status: &mut Option<QueryStatus>, new: &QueryStatus) {
    match (&mut *status, new) {
        (Some(QueryStatus::Error(old)), QueryStatus::Error(new)) => {
            if new.is_empty() || old.len() + new.len() >= QueryStatus::MAX_TEXT || old == new {
                return;
            }
            if !old.is_empty() {
                old.push('\n');
            }
            old.push_str(new);
        }
        (Some(old), new) if old.rank() >= new.rank() => {}
        _ => *status = Some(new.clone()),
    }
}
