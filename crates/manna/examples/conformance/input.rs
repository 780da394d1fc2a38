//! Tools that need something from the client first: multi-round tool results (SEP-2322).
//!
//! Nothing is kept between the rounds. What a later round must know travels in `requestState`,
//! sealed by this process, for the client may send back anything.

use std::hash::{BuildHasher as _, RandomState};

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities,
    InputRequiredResult, InputResponses,
};
use serde_json::{Map, Value, json};

use crate::answers::{complete, typed};

/// Seals the state that travels through the client. `RandomState` is a keyed hash with a key of
/// this process: enough for a fixture, not for a product.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seal(RandomState);

impl Seal {
    fn close(&self, state: &str) -> String {
        format!("{state}.{:016x}", self.0.hash_one(state))
    }

    /// The state, or the protocol error for one that this process has not sealed.
    fn open<'a>(&self, sealed: Option<&'a str>) -> Result<&'a str, ErrorData> {
        sealed
            .and_then(|sealed| {
                let (state, _) = sealed.rsplit_once('.')?;
                (self.close(state) == sealed).then_some(state)
            })
            .ok_or_else(|| {
                ErrorData::invalid_params("requestState was not issued by this server", None)
            })
    }
}

/// Asks the client for `requests`.
pub(crate) fn ask(
    requests: Value,
    state: Option<String>,
) -> Result<InputRequiredResult, ErrorData> {
    Ok(InputRequiredResult::new(Some(typed(requests)?), state))
}

/// An elicitation with one field.
pub(crate) fn elicitation(message: &str, field: &str, kind: &str) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": {field: {"type": kind}},
                "required": [field],
            },
        },
    })
}

fn sampling(prompt: &str, max_tokens: u32) -> Value {
    json!({
        "method": "sampling/createMessage",
        "params": {
            "messages": [{"role": "user", "content": {"type": "text", "text": prompt}}],
            "maxTokens": max_tokens,
        },
    })
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// The client's answer under `key`; one that is not an object counts as not given.
fn answer<'a>(responses: Option<&'a InputResponses>, key: &str) -> Option<&'a Map<String, Value>> {
    responses?.get(key)?.as_object()
}

/// What the user typed into `field` of the elicitation `key`.
pub(crate) fn typed_in<'a>(
    responses: Option<&'a InputResponses>,
    key: &str,
    field: &str,
) -> Option<&'a Value> {
    answer(responses, key)?.get("content")?.get(field)
}

fn done(text: impl Into<String>) -> Result<CallToolResponse, ErrorData> {
    let result: CallToolResult =
        complete(json!({"content": [{"type": "text", "text": text.into()}]}))?;
    Ok(result.into())
}

/// Runs a tool of this kind; `None` when `request` names none.
pub(crate) fn call(
    seal: &Seal,
    request: &CallToolRequestParams,
    client: &ClientCapabilities,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let given = request.input_responses.as_ref();
    let state = request.request_state.as_deref();
    Some(
        match request.name.strip_prefix("test_input_required_result_")? {
            "elicitation" => ask_for_name(given),
            "sampling" => match answer(given, "capital_question") {
                Some(message) => done(format!(
                    "The model said: {}",
                    message.get("content").unwrap_or(&Value::Null)
                )),
                None => asked(
                    json!({"capital_question": sampling("What is the capital of France?", 100)}),
                    None,
                ),
            },
            "list_roots" => match answer(given, "client_roots") {
                Some(answer) => done(format!(
                    "The client's roots: {}",
                    answer.get("roots").unwrap_or(&Value::Null)
                )),
                None => asked(json!({"client_roots": roots()}), None),
            },
            "request_state" | "tampered_state" => consent(seal, given, state),
            "multiple_inputs" => several(seal, given, state),
            "multi_round" => two_rounds(seal, given, state),
            "capabilities" => what_it_can(client),
            _ => return None,
        },
    )
}

fn asked(requests: Value, state: Option<String>) -> Result<CallToolResponse, ErrorData> {
    ask(requests, state).map(CallToolResponse::from)
}

fn ask_for_name(given: Option<&InputResponses>) -> Result<CallToolResponse, ErrorData> {
    match typed_in(given, "user_name", "name").and_then(Value::as_str) {
        Some(name) => done(format!("Hello, {name}!")),
        None => asked(
            json!({"user_name": elicitation("What is your name?", "name", "string")}),
            None,
        ),
    }
}

fn consent(
    seal: &Seal,
    given: Option<&InputResponses>,
    state: Option<&str>,
) -> Result<CallToolResponse, ErrorData> {
    if given.is_none() && state.is_none() {
        return asked(
            json!({"confirm": elicitation("Please confirm", "ok", "boolean")}),
            Some(seal.close("consent")),
        );
    }
    seal.open(state)?;
    done("state-ok")
}

fn several(
    seal: &Seal,
    given: Option<&InputResponses>,
    state: Option<&str>,
) -> Result<CallToolResponse, ErrorData> {
    let keys = ["user_name", "greeting", "client_roots"];
    if keys.iter().any(|key| answer(given, key).is_none()) {
        return asked(
            json!({
                "user_name": elicitation("What is your name?", "name", "string"),
                "greeting": sampling("Generate a greeting", 50),
                "client_roots": roots(),
            }),
            Some(seal.close("several")),
        );
    }
    seal.open(state)?;
    done("All three were answered.")
}

fn two_rounds(
    seal: &Seal,
    given: Option<&InputResponses>,
    state: Option<&str>,
) -> Result<CallToolResponse, ErrorData> {
    let Some(state) = state else {
        return asked(
            json!({"step1": elicitation("Step 1: What is your name?", "name", "string")}),
            Some(seal.close("round-1")),
        );
    };
    match seal.open(Some(state))? {
        "round-1" if typed_in(given, "step1", "name").is_some() => asked(
            json!({
                "step2": elicitation("Step 2: What is your favorite color?", "color", "string"),
            }),
            Some(seal.close("round-2")),
        ),
        "round-2" if typed_in(given, "step2", "color").is_some() => done("Both were answered."),
        round => Err(ErrorData::invalid_params(
            format!("nothing was answered to {round}"),
            None,
        )),
    }
}

fn what_it_can(client: &ClientCapabilities) -> Result<CallToolResponse, ErrorData> {
    let mut requests = Map::new();
    if client.elicitation.is_some() {
        requests.insert(
            "user_name".into(),
            elicitation("What is your name?", "name", "string"),
        );
    }
    if client.sampling.is_some() {
        requests.insert("greeting".into(), sampling("Generate a greeting", 50));
    }
    if client.roots.is_some() {
        requests.insert("client_roots".into(), roots());
    }
    asked(Value::Object(requests), None)
}
