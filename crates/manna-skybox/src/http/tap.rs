//! `/tap/sync` (TAP 1.1 section 2.2): the query runs on a blocking thread and its rows are sent as
//! they come; when the client goes away the query stops.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use axum::{
    body::{Body, Bytes},
    extract::{RawQuery, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::{runtime::Handle, sync::mpsc};

use super::{Archive, parameters::Parameters};
use crate::{
    store::{Failure, Plan, Reservation, Watch},
    wire::{Format, Writer, error_document},
};

/// Bytes that are gathered before they are sent.
const CHUNK: usize = 16 * 1024;

/// Chunks that wait for a slow client.
const AHEAD: usize = 4;

pub(super) async fn get(
    State(archive): State<Arc<Archive>>,
    RawQuery(query): RawQuery,
) -> Response {
    sync(archive, &Parameters::parse(query.as_deref(), &[])).await
}

pub(super) async fn post(
    State(archive): State<Arc<Archive>>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Response {
    if !is_form(request.headers()) {
        return error(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "a POST must be application/x-www-form-urlencoded; uploads are not supported",
        );
    }
    match axum::body::to_bytes(request.into_body(), archive.limits.request_bytes).await {
        Ok(body) => sync(archive, &Parameters::parse(query.as_deref(), &body)).await,
        Err(_) => error(
            StatusCode::PAYLOAD_TOO_LARGE,
            &format!(
                "the request could not be read, or is longer than {} bytes",
                archive.limits.request_bytes
            ),
        ),
    }
}

/// Whether the body is a form. Without a type it is taken for one, as curl may leave it out.
fn is_form(headers: &HeaderMap) -> bool {
    let Some(content_type) = headers.get(header::CONTENT_TYPE) else {
        return true;
    };
    let content_type = content_type.to_str().unwrap_or_default();
    let media = content_type.split(';').next().unwrap_or_default().trim();
    media.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// An error as DALI wants it.
fn error(status: StatusCode, message: &str) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/x-votable+xml")];
    (status, headers, error_document(message)).into_response()
}

/// What is asked for.
struct Asked<'a> {
    adql: &'a str,
    maxrec: u64,
    format: Format,
}

impl<'a> Asked<'a> {
    fn read(parameters: &'a Parameters, archive: &Archive) -> Result<Self, String> {
        // TAP 1.1 section 2.3: no longer needed, but it may be there.
        if let Some(request) = parameters.single("REQUEST")?
            && !request.eq_ignore_ascii_case("doQuery")
        {
            return Err(format!("REQUEST {request:?} is not supported; doQuery is"));
        }
        match parameters.single("LANG")? {
            None => return Err("the parameter LANG is missing; ADQL is supported".to_owned()),
            Some(lang)
                if ["ADQL", "ADQL-2.0", "ADQL-2.1"]
                    .iter()
                    .any(|known| lang.eq_ignore_ascii_case(known)) => {}
            Some(lang) => {
                return Err(format!(
                    "LANG {lang:?} is not supported; ADQL, ADQL-2.0 and ADQL-2.1 are"
                ));
            }
        }
        if parameters.single("UPLOAD")?.is_some() {
            return Err("UPLOAD is not supported".to_owned());
        }
        let maxrec = match parameters.single("MAXREC")? {
            None => archive.limits.default_rows,
            Some(text) => text
                .trim()
                .parse()
                .map_err(|_| format!("MAXREC must be a whole number, 0 or more, not {text:?}"))?,
        };
        let format = match (
            parameters.single("RESPONSEFORMAT")?,
            parameters.single("FORMAT")?,
        ) {
            // FORMAT is TAP 1.0's name for it.
            (Some(format), _) | (None, Some(format)) => Format::asked(format)?,
            (None, None) => Format::default(),
        };
        let adql = parameters
            .single("QUERY")?
            .ok_or("the parameter QUERY is missing")?;
        Ok(Self {
            adql,
            maxrec: maxrec.min(archive.limits.most_rows),
            format,
        })
    }
}

async fn sync(archive: Arc<Archive>, parameters: &Parameters) -> Response {
    let asked = match Asked::read(parameters, &archive) {
        Ok(asked) => asked,
        Err(message) => return error(StatusCode::BAD_REQUEST, &message),
    };
    let plan = match Plan::new(&archive.store, asked.adql, asked.maxrec) {
        Ok(plan) => plan,
        Err(failure) => return error(StatusCode::BAD_REQUEST, &failure.to_string()),
    };
    let limits = archive.limits;
    let Some(reservation) = archive.store.reserve(limits.queue_time).await else {
        let mut response = error(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many queries are running; try again soon",
        );
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("2"));
        return response;
    };
    let gone = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel(AHEAD);
    let watch = Watch::new(limits.query_time, Arc::clone(&gone));
    let mut answer = Answer {
        receiver,
        _guard: Guard(gone),
    };
    let courier = Courier {
        sender,
        runtime: Handle::current(),
        deadline: tokio::time::Instant::now() + limits.answer_time,
        stood_ms: Arc::clone(&watch.stood_ms),
        sent: false,
    };
    let writer = Writer::new(asked.format.serialization, plan.fields.clone(), asked.adql);
    tokio::task::spawn_blocking(move || {
        run(&archive, reservation, &plan, &watch, writer, courier);
    });
    match answer.receiver.recv().await {
        Some(Message::Bytes(first)) => {
            let headers = [(header::CONTENT_TYPE, asked.format.content_type)];
            (headers, answer.into_body(first)).into_response()
        }
        Some(Message::Failed(Failure::Query(message))) => error(StatusCode::BAD_REQUEST, &message),
        Some(Message::Failed(failure)) => error(StatusCode::BAD_REQUEST, &failure.to_string()),
        Some(Message::Broken) | None => {
            error(StatusCode::INTERNAL_SERVER_ERROR, "the query broke down")
        }
    }
}

/// From the thread of the query to the connection.
enum Message {
    Bytes(Bytes),
    /// Before any bytes: there is an error document to send.
    Failed(Failure),
    /// After the first bytes, in a format that cannot say so: the connection has to be cut.
    Broken,
}

/// Carries bytes over; gives up when nobody takes them.
struct Courier {
    sender: mpsc::Sender<Message>,
    runtime: Handle,
    deadline: tokio::time::Instant,
    /// [`Watch::stood_ms`].
    stood_ms: Arc<AtomicU64>,
    sent: bool,
}

impl Courier {
    fn send(&mut self, message: Message) -> Result<(), Failure> {
        self.sent = true;
        let sent = tokio::time::timeout_at(self.deadline, self.sender.send(message));
        let began = Instant::now();
        let outcome = self.runtime.block_on(sent);
        let stood = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.stood_ms.fetch_add(stood, Ordering::Relaxed);
        match outcome {
            Ok(Ok(())) => Ok(()),
            _ => Err(Failure::Gone),
        }
    }
}

fn run(
    archive: &Archive,
    reservation: Reservation,
    plan: &Plan,
    watch: &Watch,
    mut writer: Writer,
    mut courier: Courier,
) {
    let outcome = archive.store.with_connection(reservation, |connection| {
        plan.run(connection, watch, |values| {
            writer.row(values);
            if writer.len() < CHUNK {
                return Ok(());
            }
            courier.send(Message::Bytes(writer.take().into()))
        })
    });
    let last = match outcome {
        Ok(rows) => {
            writer.finish(rows);
            Message::Bytes(writer.take().into())
        }
        Err(Failure::Gone) => {
            tracing::debug!("a query was stopped: its client is gone");
            return;
        }
        Err(failure) if !courier.sent => Message::Failed(failure),
        Err(failure) if writer.fail(&failure.to_string()) => Message::Bytes(writer.take().into()),
        Err(_) => Message::Broken,
    };
    // Nobody is left to tell when it fails.
    let _ = courier.send(last);
}

/// Tells the query that nobody waits for it any more.
struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The answer as it arrives from the query.
struct Answer {
    receiver: mpsc::Receiver<Message>,
    _guard: Guard,
}

impl Answer {
    fn into_body(self, first: Bytes) -> Body {
        let chunks =
            futures_util::stream::unfold((Some(first), self), async |(first, mut rest)| {
                let next = match first {
                    Some(first) => Ok(first),
                    None => match rest.receiver.recv().await? {
                        Message::Bytes(bytes) => Ok(bytes),
                        Message::Failed(_) | Message::Broken => {
                            Err(io::Error::other("the query broke down"))
                        }
                    },
                };
                Some((next, (None, rest)))
            });
        Body::from_stream(chunks)
    }
}
