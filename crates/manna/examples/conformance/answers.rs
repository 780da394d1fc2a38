//! The constant part of the fixture: what is listed, and the answers that never change.
//!
//! Names and texts are those the scenarios of `@modelcontextprotocol/conformance` describe under
//! "Server Implementation Requirements".

use rmcp::ErrorData;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A red PNG of one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// A WAV file without a sample.
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Reads a protocol type from the JSON the suite writes it in.
pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| {
        ErrorData::internal_error(format!("the fixture is malformed: {error}"), None)
    })
}

/// Reads a result that is the last word on its request. Peers of older revisions never see the
/// `resultType`; the SDK takes it off.
pub(crate) fn complete<T: DeserializeOwned>(mut result: Value) -> Result<T, ErrorData> {
    if let Some(object) = result.as_object_mut() {
        object.insert("resultType".to_owned(), "complete".into());
    }
    typed(result)
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn user_message(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties, "required": required},
    })
}

/// The `tools` of `tools/list`.
pub(crate) fn tools() -> Value {
    let plain = [
        ("test_simple_text", "Returns a fixed text"),
        ("test_image_content", "Returns an image"),
        ("test_audio_content", "Returns a sound"),
        ("test_embedded_resource", "Returns an embedded resource"),
        (
            "test_multiple_content_types",
            "Returns text, an image and a resource",
        ),
        ("test_error_handling", "Always fails"),
        (
            "test_tool_with_logging",
            "Logs three messages while it is at work",
        ),
        ("test_logging_tool", "Logs if the request asked for it"),
        (
            "test_tool_with_progress",
            "Reports progress while it is at work",
        ),
        (
            "test_missing_capability",
            "Works only for a client that declares sampling",
        ),
        (
            "test_streaming_elicitation",
            "Needs the user's input before it can answer",
        ),
        ("test_trigger_tool_change", "Announces a changed tool list"),
        (
            "test_trigger_prompt_change",
            "Announces a changed prompt list",
        ),
        (
            "test_input_required_result_elicitation",
            "Asks for a name, then greets",
        ),
        (
            "test_input_required_result_sampling",
            "Asks the client's model, then answers",
        ),
        (
            "test_input_required_result_list_roots",
            "Asks for the client's roots",
        ),
        (
            "test_input_required_result_request_state",
            "Asks for consent and checks its own state",
        ),
        (
            "test_input_required_result_multiple_inputs",
            "Asks three things at once",
        ),
        ("test_input_required_result_multi_round", "Asks twice"),
        (
            "test_input_required_result_tampered_state",
            "Refuses a state it has not issued",
        ),
        (
            "test_input_required_result_capabilities",
            "Asks only what the client can answer",
        ),
        ("failing_job", "A task that always fails"),
        ("protocol_error_job", "A task that ends in a protocol error"),
        ("multi_input", "A task that asks two things at once"),
        (
            "test_tool_with_task",
            "Asks for a name, then works on as a task",
        ),
    ];
    let mut tools: Vec<Value> = plain
        .iter()
        .map(|(name, about)| tool(name, about, json!({}), &[]))
        .collect();
    tools.extend([
        tool(
            "greet",
            "Greets at once",
            json!({"name": {"type": "string"}}),
            &["name"],
        ),
        tool(
            "slow_compute",
            "A task that takes the given time",
            json!({"seconds": {"type": "number"}, "label": {"type": "string"}}),
            &["seconds"],
        ),
        tool(
            "confirm_delete",
            "A task that asks for consent",
            json!({"filename": {"type": "string"}}),
            &["filename"],
        ),
        tool(
            "test_custom_header",
            "Takes an argument that is mirrored into a header",
            json!({"region": {"type": "string", "x-mcp-header": "Region"}}),
            &["region"],
        ),
        json!({
            "name": "json_schema_2020_12_tool",
            "description": "Has an input schema with the keywords of JSON Schema 2020-12",
            "inputSchema": {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "$defs": {"address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                }},
                "properties": {
                    "name": {"type": "string"},
                    "address": {"$ref": "#/$defs/address"},
                    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                    "phone": {"type": "string"},
                    "email": {"type": "string"},
                },
                "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
                "if": {
                    "properties": {"contactMethod": {"const": "phone"}},
                    "required": ["contactMethod"],
                },
                "then": {"required": ["phone"]},
                "else": {"required": ["email"]},
                "additionalProperties": false,
            },
        }),
    ]);
    Value::Array(tools)
}

/// The result of a tool whose answer never changes.
pub(crate) fn constant_tool(name: &str) -> Option<Value> {
    let image = json!({"type": "image", "data": PIXEL, "mimeType": "image/png"});
    Some(match name {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => json!({"content": [image]}),
        "test_audio_content" => {
            json!({"content": [{"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}]})
        }
        "test_embedded_resource" => json!({"content": [{"type": "resource", "resource": {
            "uri": "test://embedded-resource",
            "mimeType": "text/plain",
            "text": "This is an embedded resource content.",
        }}]}),
        "test_multiple_content_types" => json!({"content": [
            {"type": "text", "text": "Multiple content types test:"},
            image,
            {"type": "resource", "resource": {
                "uri": "test://mixed-content-resource",
                "mimeType": "application/json",
                "text": json!({"test": "data", "value": 123}).to_string(),
            }},
        ]}),
        "test_error_handling" => json!({
            "isError": true,
            "content": [{
                "type": "text",
                "text": "This tool intentionally returns an error for testing",
            }],
            "structuredContent": {"error_class": "fixture_error"},
        }),
        "test_custom_header" => text("The header agreed with the argument."),
        "json_schema_2020_12_tool" => text("The schema was kept."),
        _ => return None,
    })
}

/// The `prompts` of `prompts/list`.
pub(crate) fn prompts() -> Value {
    let argument = |name: &str| json!({"name": name, "description": name, "required": true});
    json!([
        {"name": "test_simple_prompt", "description": "A prompt without arguments"},
        {
            "name": "test_prompt_with_arguments",
            "description": "A prompt with two arguments",
            "arguments": [argument("arg1"), argument("arg2")],
        },
        {
            "name": "test_prompt_with_embedded_resource",
            "description": "A prompt that carries a resource",
            "arguments": [argument("resourceUri")],
        },
        {"name": "test_prompt_with_image", "description": "A prompt that carries an image"},
        {
            "name": "test_input_required_result_prompt",
            "description": "A prompt that needs the user's input first",
        },
    ])
}

/// The result of `prompts/get`, but for the prompt that asks the client first.
pub(crate) fn prompt(name: &str, arguments: &Map<String, Value>) -> Option<Value> {
    let argument = |name: &str| {
        arguments
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let messages = match name {
        "test_simple_prompt" => json!([user_message(
            json!({"type": "text", "text": "This is a simple prompt for testing."})
        )]),
        "test_prompt_with_arguments" => json!([user_message(json!({
            "type": "text",
            "text": format!(
                "Prompt with arguments: arg1='{}', arg2='{}'",
                argument("arg1"),
                argument("arg2")
            ),
        }))]),
        "test_prompt_with_embedded_resource" => json!([
            user_message(json!({"type": "resource", "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }})),
            user_message(json!({
                "type": "text",
                "text": "Please process the embedded resource above.",
            })),
        ]),
        "test_prompt_with_image" => json!([
            user_message(json!({"type": "image", "data": PIXEL, "mimeType": "image/png"})),
            user_message(json!({"type": "text", "text": "Please analyze the image above."})),
        ]),
        _ => return None,
    };
    Some(json!({"messages": messages}))
}

/// The `resources` of `resources/list`.
pub(crate) fn resources() -> Value {
    json!([
        {
            "uri": "test://static-text",
            "name": "static-text",
            "description": "A text that never changes",
            "mimeType": "text/plain",
        },
        {
            "uri": "test://static-binary",
            "name": "static-binary",
            "description": "An image that never changes",
            "mimeType": "image/png",
        },
        {
            "uri": "test://watched-resource",
            "name": "watched-resource",
            "description": "A text one can subscribe to",
            "mimeType": "text/plain",
        },
    ])
}

/// The `resourceTemplates` of `resources/templates/list`.
pub(crate) fn resource_templates() -> Value {
    json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "A resource for every identifier",
        "mimeType": "application/json",
    }])
}

/// The result of `resources/read`.
pub(crate) fn resource(uri: &str) -> Option<Value> {
    let contents = match uri {
        "test://static-text" => json!({
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }),
        "test://static-binary" => json!({"mimeType": "image/png", "blob": PIXEL}),
        "test://watched-resource" => json!({"mimeType": "text/plain", "text": "Watched."}),
        _ => {
            let id = uri
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            json!({
                "mimeType": "application/json",
                "text": json!({
                    "id": id,
                    "templateTest": true,
                    "data": format!("Data for ID: {id}"),
                })
                .to_string(),
            })
        }
    };
    let mut contents = contents;
    if let Some(object) = contents.as_object_mut() {
        object.insert("uri".to_owned(), uri.into());
    }
    Some(json!({"contents": [contents]}))
}
