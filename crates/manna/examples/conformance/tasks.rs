//! Tools that work on as a task (SEP-2663, extension `io.modelcontextprotocol/tasks`).

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CreateTaskResult,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use serde_json::{Value, json};

use crate::answers::{complete, typed};
use crate::input::{ask, elicitation, typed_in};

/// Runs a tool of this kind; `None` when `request` names none.
pub(crate) async fn call(
    tasks: &TaskManager,
    request: &CallToolRequestParams,
    client: &ClientCapabilities,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let argument = |name: &str| request.arguments.as_ref().and_then(|given| given.get(name));
    let supported = client.supports_tasks();
    Some(match request.name.as_ref() {
        "greet" => {
            let name = argument("name")
                .and_then(Value::as_str)
                .unwrap_or("stranger");
            text(&format!("Hello, {name}!")).map(CallToolResponse::from)
        }
        "slow_compute" => {
            let seconds = argument("seconds").and_then(Value::as_f64).unwrap_or(1.0);
            let time = Duration::from_secs_f64(seconds.clamp(0.0, 120.0));
            if supported {
                spawn(tasks, move |context| compute(context, time))
            } else {
                tokio::time::sleep(time).await;
                text("computed").map(CallToolResponse::from)
            }
        }
        "failing_job" if !supported => Err(needs_tasks()),
        "failing_job" => spawn(tasks, |_| async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(complete::<CallToolResult>(json!({
                "isError": true,
                "content": [{"type": "text", "text": "the job has failed"}],
            }))?)
        }),
        "protocol_error_job" if !supported => Err(job_broke()),
        "protocol_error_job" => spawn(tasks, |_| async {
            Err::<CallToolResult, _>(TaskExit::from(job_broke()))
        }),
        "confirm_delete" | "multi_input" | "test_tool_with_task" if !supported => {
            Err(needs_tasks())
        }
        "confirm_delete" => spawn(tasks, |context| async move {
            inquire(&context, "confirm").await?;
            Ok(text("deleted")?)
        }),
        "multi_input" => spawn(tasks, |context| async move {
            tokio::try_join!(inquire(&context, "first"), inquire(&context, "second"))?;
            Ok(text("both were answered")?)
        }),
        "test_tool_with_task" => {
            let name = typed_in(request.input_responses.as_ref(), "user_name", "name")
                .and_then(Value::as_str)
                .map(str::to_owned);
            match name {
                None => ask(
                    json!({"user_name": elicitation("What is your name?", "name", "string")}),
                    None,
                )
                .map(CallToolResponse::from),
                Some(name) => spawn(
                    tasks,
                    |_| async move { Ok(text(&format!("Hello, {name}!"))?) },
                ),
            }
        }
        _ => return None,
    })
}

fn spawn<F, W>(tasks: &TaskManager, work: F) -> Result<CallToolResponse, ErrorData>
where
    F: FnOnce(TaskContext) -> W,
    W: Future<Output = Result<CallToolResult, TaskExit>> + Send + 'static,
{
    let task = tasks.spawn(TaskOptions::default(), |context| Box::pin(work(context)));
    Ok(CreateTaskResult::new(task).into())
}

async fn compute(context: TaskContext, time: Duration) -> Result<CallToolResult, TaskExit> {
    tokio::select! {
        () = tokio::time::sleep(time) => Ok(text("computed")?),
        () = context.cancelled() => Err(TaskExit::Cancelled),
    }
}

async fn inquire(context: &TaskContext, key: &str) -> Result<Value, TaskExit> {
    context
        .request_input(
            key,
            typed(elicitation("Please confirm", "confirm", "boolean"))?,
        )
        .await
}

fn text(text: &str) -> Result<CallToolResult, ErrorData> {
    complete(json!({"content": [{"type": "text", "text": text}]}))
}

fn needs_tasks() -> ErrorData {
    ErrorData::missing_required_client_capability(
        ClientCapabilities::builder().enable_tasks().build(),
    )
}

fn job_broke() -> ErrorData {
    ErrorData::internal_error("the job broke", None)
}
