//! Synchronous TAP queries (TAP 1.1 section 2.2): one POST, and the rows of its VOTable as they arrive.

use std::sync::Arc;
use std::time::Duration;

use manna_votable::{Event, Field, QueryStatus, Reader, Table, Value};

use crate::http::{Answer, Door, FetchError, Limits, Refusal, Request, ServiceUrl};

/// How much of an answer that is no table is read, in bytes.
const ERROR_BYTES: u64 = 64 << 10;

/// A query for [`sync`].
#[derive(Debug, Clone, Copy)]
pub struct SyncQuery<'a> {
    /// The query, in ADQL.
    pub adql: &'a str,
    /// Asks the service for at most this many rows (TAP 1.1 section 2.7.4). It may still send more.
    pub maxrec: Option<u64>,
    /// Time for everything, from name resolution to the last byte.
    pub timeout: Duration,
}

/// Why there are no rows, or no more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapError {
    /// The guard refuses the service's address, or one that it redirects to.
    #[error("the address {0}")]
    Refused(Refusal),
    /// The service could not be reached or did not answer in time.
    #[error(transparent)]
    Fetch(FetchError),
    /// The service understood the query and refused it, in its own words (untrusted text).
    #[error("the query was rejected: {message}")]
    Rejected {
        /// The service's message, as it came.
        message: String,
    },
    /// The service says that it cannot answer now.
    #[error("HTTP status {status}")]
    Unavailable {
        /// HTTP status: 429 or 5xx.
        status: u16,
        /// How long it asked to be left alone.
        retry_after: Option<Duration>,
        /// The start of what it sent, as it came (untrusted text).
        excerpt: String,
    },
    /// The service wants a login that we do not have.
    #[error("HTTP status {status}: a login is needed")]
    LoginNeeded {
        /// HTTP status: 401, 403 or 407.
        status: u16,
    },
    /// What answered is no TAP service, or not at this address.
    #[error("HTTP status {status}, {}: not a VOTable", content_type.as_deref().unwrap_or("no content type"))]
    NotTap {
        /// HTTP status.
        status: u16,
        /// Content type it declared.
        content_type: Option<String>,
        /// The start of the visible text it sent (untrusted text).
        excerpt: String,
    },
    /// The table broke off, or cannot be read on.
    #[error(transparent)]
    Table(manna_votable::Error),
}

impl From<FetchError> for TapError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Refused { refusal, .. } => Self::Refused(refusal),
            other => Self::Fetch(other),
        }
    }
}

/// The answer to a query, read as far as the caller wants: dropping it ends the transfer.
#[derive(Debug)]
pub struct SyncAnswer {
    body: Answer,
    reader: Reader,
    table: Option<Arc<Table>>,
    row: Vec<Value>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first table.
    Head,
    /// In its rows.
    Rows,
    /// After it. Later tables are not the query's result.
    Tail,
    /// The document is over.
    End,
}

/// Sends `query` to the TAP service at `endpoint` and reads up to the first row.
///
/// An error document is understood whatever its HTTP status: services use 200, 400 and 500 alike.
///
/// # Errors
/// See [`TapError`].
pub async fn sync(
    door: &Door,
    endpoint: &ServiceUrl,
    query: SyncQuery<'_>,
) -> Result<SyncAnswer, TapError> {
    let url = door
        .parse(&sync_address(endpoint))
        .map_err(TapError::Refused)?;
    let mut form = vec![
        ("REQUEST".to_owned(), "doQuery".to_owned()),
        ("LANG".to_owned(), "ADQL".to_owned()),
    ];
    form.extend(
        query
            .maxrec
            .map(|maxrec| ("MAXREC".to_owned(), maxrec.to_string())),
    );
    form.push(("QUERY".to_owned(), query.adql.to_owned()));
    let limits = Limits::default().within(query.timeout);
    let request = Request::post_form(url, form)
        .accept("application/x-votable+xml, text/xml;q=0.9, */*;q=0.1")
        .limits(limits);
    let body = door.send(request).await?;

    match body.status {
        401 | 403 | 407 => {
            return Err(TapError::LoginNeeded {
                status: body.status,
            });
        }
        429 | 502..=504 => return Err(unavailable(body).await),
        _ => {}
    }
    let mut answer = SyncAnswer {
        body,
        reader: Reader::new(manna_votable::Limits::default()),
        table: None,
        row: Vec::new(),
        state: State::Head,
    };
    answer.open().await?;
    Ok(answer)
}

impl SyncAnswer {
    /// The columns.
    pub fn fields(&self) -> &[Field] {
        self.table.as_ref().map_or(&[], |table| &table.fields)
    }

    /// The next row, or `None` at the end of the document.
    ///
    /// # Errors
    /// When the rest of the table cannot be had: [`TapError::Fetch`] and [`TapError::Table`] when the answer broke
    /// off, [`TapError::Rejected`] when the service wrote an error behind its rows. Rows already given stay valid.
    pub async fn next_row(&mut self) -> Result<Option<&[Value]>, TapError> {
        loop {
            match self.step().await? {
                Step::Row => return Ok(Some(&self.row)),
                Step::Table => {}
                Step::End => return Ok(None),
            }
        }
    }

    /// The service said that it cut the result (`QUERY_STATUS` `OVERFLOW`, DALI 1.1 section 4.4.1). Known once the
    /// rows are over.
    pub fn overflowed(&self) -> bool {
        self.reader.status() == Some(&QueryStatus::Overflow)
    }

    /// What was odd about the document, one line a kind.
    pub fn warnings(&self) -> Vec<String> {
        self.reader
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// Reads up to the first table. A document without one is an error document or no result at all.
    async fn open(&mut self) -> Result<(), TapError> {
        match self.step().await {
            Ok(Step::Table | Step::Row) if self.body.status < 400 => Ok(()),
            Ok(_) => Err(self.not_tap(String::new())),
            Err(TapError::Table(manna_votable::Error::NotVotable(foreign))) => {
                Err(self.no_document(foreign.title.unwrap_or(foreign.text)))
            }
            Err(error) => Err(error),
        }
    }

    async fn step(&mut self) -> Result<Step, TapError> {
        loop {
            if self.state == State::End {
                return Ok(Step::End);
            }
            match self.reader.next_event().map_err(TapError::Table)? {
                Some(Event::Table(table)) if self.state == State::Head => {
                    self.table = Some(table);
                    self.state = State::Rows;
                    return Ok(Step::Table);
                }
                Some(Event::Row(row)) if self.state == State::Rows => {
                    self.row.clear();
                    self.row.extend_from_slice(row);
                    return Ok(Step::Row);
                }
                Some(Event::TableEnd { .. }) if self.state == State::Rows => {
                    self.state = State::Tail
                }
                Some(Event::End(_)) => self.state = State::End,
                Some(_) => {}
                None => match self.body.chunk().await? {
                    Some(bytes) => self.reader.feed(&bytes),
                    None => self.reader.finish(),
                },
            }
            // The error may stand before the table, behind it, or in a resource without one.
            if let Some(QueryStatus::Error(message)) = self.reader.status() {
                return Err(TapError::Rejected {
                    message: message.clone(),
                });
            }
        }
    }

    /// Something came that is no VOTable.
    fn no_document(&self, excerpt: String) -> TapError {
        match self.body.status {
            // Not the document of the standard, but the status it asks for: the query was read and refused.
            400 | 422 if !excerpt.is_empty() => TapError::Rejected { message: excerpt },
            status if status >= 500 => TapError::Unavailable {
                status,
                retry_after: self.body.retry_after,
                excerpt,
            },
            _ => self.not_tap(excerpt),
        }
    }

    fn not_tap(&self, excerpt: String) -> TapError {
        TapError::NotTap {
            status: self.body.status,
            content_type: self.body.content_type.clone(),
            excerpt,
        }
    }
}

enum Step {
    Table,
    Row,
    End,
}

async fn unavailable(mut body: Answer) -> TapError {
    let (status, retry_after) = (body.status, body.retry_after);
    // The status alone says enough; the text is a courtesy.
    let excerpt = body.text(ERROR_BYTES).await.unwrap_or_default();
    TapError::Unavailable {
        status,
        retry_after,
        excerpt,
    }
}

/// The address of the sync resource. People pass the service's base URL, sometimes one of its resources, and a base
/// may carry parameters of its own.
fn sync_address(endpoint: &ServiceUrl) -> String {
    let path = endpoint.path().trim_end_matches('/');
    let base = path
        .strip_suffix("/sync")
        .or_else(|| path.strip_suffix("/async"))
        .unwrap_or(path);
    match endpoint.query() {
        Some(query) if !query.is_empty() => format!("{}{base}/sync?{query}", endpoint.origin()),
        _ => format!("{}{base}/sync", endpoint.origin()),
    }
}
