//! The tools: one file each, with its `Args`, its `run` and what it says about itself. MCP and the command line
//! call the same [`Tools::call`].

mod arguments;
mod context;
mod error;
mod failure;
mod list_archives;
mod resolve_target_name;
mod run_adql_query;
mod schema;

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Semaphore;

pub use context::Context;
pub use error::{ErrorClass, RetryStrategy, ToolError};
pub use schema::Object;

/// One tool call, whatever it does, is over after this long (security.md section 2).
const CALL_DEADLINE: Duration = Duration::from_secs(55);

/// When a caller who was turned away may try again, in seconds.
const BUSY_SECONDS: u64 = 5;

/// What a tool tells a client about itself.
#[derive(Debug, Clone)]
pub struct About {
    /// Name on the wire.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What it does, returns and costs, and when to use another tool.
    pub description: String,
    /// Changes nothing anywhere.
    pub read_only: bool,
    /// Talks to the world outside this process.
    pub open_world: bool,
    /// Top-level keys of its results with their plain types; `""` for a key that may be null.
    pub output: &'static [(&'static str, &'static str)],
}

type Run =
    Box<dyn Fn(Arc<Context>, Object) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync>;

/// A tool: what it says about itself, the schemas, and the code.
pub struct Tool {
    /// What a client is told.
    pub about: About,
    /// JSON Schema of the arguments.
    pub input_schema: Object,
    /// JSON Schema of every result, errors included.
    pub output_schema: Object,
    run: Run,
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

impl Tool {
    /// A tool whose arguments are an `A`, answered by `run`.
    pub fn new<A, F, R>(about: About, run: R) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Value, ToolError>> + Send + 'static,
        R: Fn(Arc<Context>, A) -> F + Send + Sync + Clone + 'static,
    {
        let input_schema = schema::input::<A>();
        let output_schema = schema::output(about.output);
        let checked = input_schema.clone();
        let run: Run = Box::new(move |context, arguments| {
            let decoded = arguments::decode::<A>(&checked, arguments);
            let run = run.clone();
            Box::pin(async move { run(context, decoded?).await })
        });
        Self {
            about,
            input_schema,
            output_schema,
            run,
        }
    }
}

/// The answer to one call: the object a client gets, and whether it is an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The structured result.
    pub content: Value,
    /// The content is an error (contract section 3).
    pub is_error: bool,
}

/// The tools of a server, sorted by name, with what they work on.
#[derive(Debug)]
pub struct Tools {
    list: Vec<Tool>,
    context: Arc<Context>,
    at_work: Semaphore,
}

impl Tools {
    /// The tools of the product.
    pub fn new(context: Context) -> Self {
        let list = vec![
            list_archives::tool(),
            resolve_target_name::tool(),
            run_adql_query::tool(&context.archives.upfront_notes()),
        ];
        Self::with(context, list)
    }

    /// These tools and no others.
    pub fn with(context: Context, mut list: Vec<Tool>) -> Self {
        list.sort_by_key(|tool| tool.about.name);
        let at_work = Semaphore::new(context.max_calls.min(Semaphore::MAX_PERMITS));
        Self {
            list,
            context: Arc::new(context),
            at_work,
        }
    }

    /// All tools, sorted by name.
    pub fn list(&self) -> &[Tool] {
        &self.list
    }

    /// What the tools work on.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The tool of that name.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.list.iter().find(|tool| tool.about.name == name)
    }

    /// Runs one call to its end. A panic, and a call that outlasts its deadline, are answers too.
    pub async fn call(&self, name: &str, arguments: Object) -> Answer {
        let request_id = uuid::Uuid::new_v4().to_string();
        let started = Instant::now();
        let outcome = match self.find(name) {
            Some(tool) => self.run(tool, arguments, &request_id).await,
            None => Err(self.unknown(name)),
        };
        let ms = started.elapsed().as_millis() as u64;
        match &outcome {
            Ok(_) => tracing::info!(request_id, tool = name, ms, "call"),
            Err(error) => {
                tracing::info!(
                    request_id,
                    tool = name,
                    ms,
                    error_class = error.class.name(),
                    "call"
                );
            }
        }
        match outcome {
            Ok(content) => Answer {
                content,
                is_error: false,
            },
            Err(error) => Answer {
                content: error.to_json(&request_id),
                is_error: true,
            },
        }
    }

    async fn run(
        &self,
        tool: &Tool,
        arguments: Object,
        request_id: &str,
    ) -> Result<Value, ToolError> {
        let Ok(_place) = self.at_work.try_acquire() else {
            return Err(ToolError::archive("this server is busy").after(Some(BUSY_SECONDS)));
        };
        // The SDK leaves a call unanswered for ever when its handler panics; a panic must be this call's alone.
        let work = AssertUnwindSafe(async { (tool.run)(self.context.clone(), arguments).await })
            .catch_unwind();
        match tokio::time::timeout(CALL_DEADLINE, work).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => {
                let cause = panic_text(panic.as_ref());
                tracing::error!(
                    request_id,
                    tool = tool.about.name,
                    cause,
                    "the tool panicked"
                );
                Err(ToolError::internal())
            }
            Err(_) => Err(ToolError::archive(format!(
                "no answer within {} s, the longest a call may take",
                CALL_DEADLINE.as_secs()
            ))),
        }
    }

    fn unknown(&self, name: &str) -> ToolError {
        let known: Vec<&str> = self.list.iter().map(|tool| tool.about.name).collect();
        let name: String = name.chars().take(64).collect();
        ToolError::validation(format!(
            "there is no tool {name:?}; the tools are {}",
            known.join(", ")
        ))
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a text")
}
