//! The web server: TAP with its VOSI resources, and Sesame.

mod examples;
mod parameters;
mod sesame;
mod tap;
mod vosi;

use std::{sync::Arc, time::SystemTime};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};

use crate::{Limits, store::Store};

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) store: Store,
    pub(crate) limits: Limits,
    pub(crate) base_url: String,
    pub(crate) up_since: SystemTime,
    pub(crate) names: sesame::Names,
}

impl Archive {
    pub(crate) fn new(store: Store, limits: Limits, base_url: String) -> Self {
        Self {
            store,
            limits,
            base_url,
            up_since: SystemTime::now(),
            names: sesame::Names::new(),
        }
    }
}

/// All resources.
pub(crate) fn router(archive: Arc<Archive>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/tap/sync", get(tap::get).post(tap::post))
        .route("/tap/availability", get(vosi::availability))
        .route("/tap/capabilities", get(vosi::capabilities))
        .route("/tap/examples", get(examples::page))
        .route("/tap/tables", get(vosi::tables))
        .route("/tap/tables/{name}", get(vosi::table))
        .route("/cgi-bin/nph-sesame", get(sesame::resolve))
        .route("/cgi-bin/nph-sesame/{*options}", get(sesame::resolve))
        .fallback(async || (StatusCode::NOT_FOUND, "there is nothing here; see /\n"))
        .layer(DefaultBodyLimit::max(archive.limits.request_bytes))
        .layer(axum::middleware::map_response(name_server))
        .with_state(archive)
}

async fn index() -> &'static str {
    "manna skybox: an embedded archive for demonstration and tests.\n\
     Its Messier objects and bright stars are real; its other sources and observations are made up.\n\
     \n\
     TAP        /tap (sync; capabilities, tables, availability)\n\
     Sesame     /cgi-bin/nph-sesame/SNV?M87\n"
}

/// Says in every answer what made it.
async fn name_server(mut response: Response) -> Response {
    const NAME: &str = concat!("manna-skybox/", env!("CARGO_PKG_VERSION"));
    let headers = response.headers_mut();
    headers.insert(header::SERVER, HeaderValue::from_static(NAME));
    response
}

/// An XML document of VOSI.
fn xml(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "text/xml;charset=UTF-8")], body).into_response()
}
