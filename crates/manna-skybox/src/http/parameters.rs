//! The parameters of a DALI request (DALI 1.1 section 3): names in any case.

use std::borrow::Cow;

/// The parameters in the order they came.
#[derive(Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// From a query string and the body of a form.
    pub(super) fn parse(query: Option<&str>, body: &[u8]) -> Self {
        let query = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        let body = url::form_urlencoded::parse(body);
        Self(
            query
                .chain(body)
                .map(|(name, value): (Cow<'_, str>, Cow<'_, str>)| {
                    (name.to_ascii_uppercase(), value.into_owned())
                })
                .collect(),
        )
    }

    /// The value of `name` (in capitals), if it is given and not blank.
    ///
    /// # Errors
    ///
    /// When it is given more than once.
    pub(super) fn single(&self, name: &str) -> Result<Option<&str>, String> {
        let mut values = self
            .0
            .iter()
            .filter(|(given, _)| given == name)
            .map(|(_, value)| value.as_str());
        let value = values.next();
        if values.next().is_some() {
            return Err(format!("the parameter {name} is given more than once"));
        }
        Ok(value.filter(|value| !value.trim().is_empty()))
    }
}
