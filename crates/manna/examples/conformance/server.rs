//! The handler: what is listed and called, and who is told of a change.

#![expect(deprecated, reason = "the revision 2025-11-25 still asks for logging")]

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ClientCapabilities,
    CompleteRequestParams, CompleteResult, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, GetTaskParams, GetTaskResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    LoggingMessageNotificationParam, PaginatedRequestParams, ProgressNotificationParam,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::task_manager::TaskManager;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::answers::{self, complete, typed};
use crate::input::{self, Seal, ask, elicitation, typed_in};
use crate::tasks;

/// What the pauses between two notifications of a tool are: long enough to be told apart.
const PAUSE: Duration = Duration::from_millis(50);

/// A list that has changed.
#[derive(Clone, Copy, Debug)]
enum Change {
    Tools,
    Prompts,
}

/// The fixture. Its clones share the tasks and the subscriptions.
#[derive(Clone)]
pub(crate) struct Fixture {
    seal: Seal,
    tasks: TaskManager,
    changes: broadcast::Sender<Change>,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self {
            seal: Seal::default(),
            tasks: TaskManager::new(),
            changes: broadcast::Sender::new(16),
        }
    }

    fn announce(&self, change: Change) -> Value {
        // An error only says that nobody listens.
        let listeners = self.changes.send(change).unwrap_or_default();
        json!({"content": [{"type": "text", "text": format!("{listeners} were told")}]})
    }
}

async fn log(context: &RequestContext<RoleServer>, message: &str) {
    // A modern request wants log messages only if it says so (2026-07-28, server/utilities/logging).
    let modern = context.meta.protocol_version().is_some();
    if modern && context.meta.log_level().is_none() {
        return;
    }
    // A client that has gone away is not told.
    let _ = context
        .peer
        .notify_logging_message(LoggingMessageNotificationParam::new(
            LoggingLevel::Info,
            Value::from(message),
        ))
        .await;
}

async fn call_with_logging(context: &RequestContext<RoleServer>) -> Value {
    log(context, "Tool execution started").await;
    tokio::time::sleep(PAUSE).await;
    log(context, "Tool processing data").await;
    tokio::time::sleep(PAUSE).await;
    log(context, "Tool execution completed").await;
    json!({"content": [{"type": "text", "text": "Logged."}]})
}

async fn call_with_progress(context: &RequestContext<RoleServer>) -> Value {
    let token = context.meta.get_progress_token();
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = &token {
            // A client that has gone away is not told.
            let _ = context
                .peer
                .notify_progress(
                    ProgressNotificationParam::new(token.clone(), progress).with_total(100.0),
                )
                .await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    json!({"content": [{"type": "text", "text": "Progress was reported."}]})
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_completions()
                .enable_logging()
                .enable_prompts()
                .enable_prompts_list_changed()
                .enable_resources()
                .enable_resources_subscribe()
                .enable_tasks()
                .enable_tools()
                .enable_tool_list_changed()
                .build(),
        )
        .with_server_info(Implementation::new(
            "manna-conformance-fixture",
            env!("CARGO_PKG_VERSION"),
        ))
        .with_instructions("Fixtures of the MCP conformance suite")
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(typed(answers::tools())?))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        typed::<Vec<Tool>>(answers::tools())
            .ok()?
            .into_iter()
            .find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = context.client_capabilities().unwrap_or_default();
        if let Some(response) = input::call(&self.seal, &request, &client) {
            return response;
        }
        if let Some(response) = tasks::call(&self.tasks, &request, &client).await {
            return response;
        }
        let result = match request.name.as_ref() {
            "test_tool_with_logging" | "test_logging_tool" => call_with_logging(&context).await,
            "test_tool_with_progress" => call_with_progress(&context).await,
            "test_trigger_tool_change" => self.announce(Change::Tools),
            "test_trigger_prompt_change" => self.announce(Change::Prompts),
            "test_missing_capability" if client.sampling.is_none() => {
                return Err(ErrorData::missing_required_client_capability(typed::<
                    ClientCapabilities,
                >(
                    json!({"sampling": {}}),
                )?));
            }
            "test_missing_capability" => json!({"content": []}),
            "test_streaming_elicitation" => {
                return ask(
                    json!({"go_on": elicitation("Go on?", "ok", "boolean")}),
                    None,
                )
                .map(CallToolResponse::from);
            }
            name => answers::constant_tool(name).ok_or_else(|| {
                ErrorData::invalid_params(format!("there is no tool `{name}`"), None)
            })?,
        };
        Ok(complete::<CallToolResult>(result)?.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(
            typed(answers::prompts())?,
        ))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name == "test_input_required_result_prompt" {
            let Some(given) = typed_in(request.input_responses.as_ref(), "user_context", "context")
            else {
                let question = "What context should the prompt use?";
                return ask(
                    json!({"user_context": elicitation(question, "context", "string")}),
                    None,
                )
                .map(GetPromptResponse::from);
            };
            let message = json!({"role": "user", "content": {
                "type": "text",
                "text": format!("The context is {given}."),
            }});
            return Ok(complete::<GetPromptResult>(json!({"messages": [message]}))?.into());
        }
        let prompt = answers::prompt(&request.name, &request.arguments.unwrap_or_default())
            .ok_or_else(|| {
                ErrorData::invalid_params(format!("there is no prompt `{}`", request.name), None)
            })?;
        Ok(complete::<GetPromptResult>(prompt)?.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(typed(
            answers::resources(),
        )?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(typed(
            answers::resource_templates(),
        )?))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let found = answers::resource(&request.uri).ok_or_else(|| {
            ErrorData::resource_not_found("resource not found", Some(json!({"uri": request.uri})))
        })?;
        Ok(complete::<ReadResourceResult>(found)?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values: Vec<&str> = ["paris", "park", "party"]
            .into_iter()
            .filter(|value| value.starts_with(&request.argument.value))
            .collect();
        complete(json!({"completion": {"values": values, "hasMore": false}}))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changes.subscribe();
        loop {
            let change = tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => change,
            };
            let told = match change {
                Ok(Change::Tools) => context.sink().notify_tool_list_changed().await,
                Ok(Change::Prompts) => context.sink().notify_prompt_list_changed().await,
                // Told too late of some changes: the lists are still there to be read.
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
                Err(broadcast::error::RecvError::Closed) => return Ok(()),
            };
            // A change the subscription has not asked for is not sent, and that is no fault.
            drop(told);
        }
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.tasks
            .get_task(&request.task_id)
            .map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks
            .update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}
