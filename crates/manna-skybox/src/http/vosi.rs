//! `/tap/availability`, `/tap/capabilities` and `/tap/tables` (VOSI 1.1, TAPRegExt 1.0, VODataService 1.1).

use std::{
    fmt::Write as _,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use manna_adql::{Gives, Standard};

use super::{Archive, parameters::Parameters, xml as respond};
use crate::{
    sky::{Column, SCHEMAS, Table},
    wire::{FORMATS, xml},
};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

pub(super) async fn availability(State(archive): State<Arc<Archive>>) -> Response {
    let since = timestamp(archive.up_since);
    respond(
        format!(
            "{DECLARATION}<vosi:availability xmlns:vosi=\"http://www.ivoa.net/xml/VOSIAvailability/v1.0\">\n\
             <vosi:available>true</vosi:available>\n\
             <vosi:upSince>{since}</vosi:upSince>\n\
             </vosi:availability>\n"
        )
        .into_bytes(),
    )
}

pub(super) async fn capabilities(State(archive): State<Arc<Archive>>) -> Response {
    let base = &archive.base_url;
    let mut text = format!(
        "{DECLARATION}<vosi:capabilities xmlns:vosi=\"http://www.ivoa.net/xml/VOSICapabilities/v1.0\"\
         \x20xmlns:tr=\"http://www.ivoa.net/xml/TAPRegExt/v1.0\"\
         \x20xmlns:vr=\"http://www.ivoa.net/xml/VOResource/v1.0\"\
         \x20xmlns:vs=\"http://www.ivoa.net/xml/VODataService/v1.1\"\
         \x20xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
    );
    for (id, path) in [
        ("ivo://ivoa.net/std/VOSI#capabilities", "capabilities"),
        ("ivo://ivoa.net/std/VOSI#availability", "availability"),
        ("ivo://ivoa.net/std/VOSI#tables-1.1", "tables"),
        ("ivo://ivoa.net/std/DALI#examples", "examples"),
    ] {
        text += &format!(
            "<capability standardID=\"{id}\">\n\
             <interface xsi:type=\"vs:ParamHTTP\" role=\"std\"><accessURL use=\"full\">{base}/tap/{path}</accessURL></interface>\n\
             </capability>\n"
        );
    }
    text += &format!(
        "<capability standardID=\"ivo://ivoa.net/std/TAP\" xsi:type=\"tr:TableAccess\">\n\
         <interface xsi:type=\"vs:ParamHTTP\" role=\"std\" version=\"1.1\"><accessURL use=\"base\">{base}/tap</accessURL></interface>\n\
         <dataModel ivo-id=\"ivo://ivoa.net/std/obscore#core-1.1\">ObsCore-1.1</dataModel>\n"
    );
    text += &language();
    for (media, aliases, id, _) in FORMATS {
        let id = id.map_or(String::new(), |id| format!(" ivo-id=\"{id}\""));
        text += &format!("<outputFormat{id}><mime>{media}</mime>");
        for alias in *aliases {
            text += &format!("<alias>{alias}</alias>");
        }
        text += "</outputFormat>\n";
    }
    let limits = archive.limits;
    text += &format!(
        "<executionDuration><default>{0}</default><hard>{0}</hard></executionDuration>\n\
         <outputLimit><default unit=\"row\">{1}</default><hard unit=\"row\">{2}</hard></outputLimit>\n\
         </capability>\n</vosi:capabilities>\n",
        limits.query_time.as_secs(),
        limits.default_rows,
        limits.most_rows
    );
    respond(text.into_bytes())
}

/// ADQL, with the optional features of the standard that are there.
fn language() -> String {
    let mut text = "<language><name>ADQL</name>\n\
         <version ivo-id=\"ivo://ivoa.net/std/ADQL#v2.0\">2.0</version>\n\
         <version ivo-id=\"ivo://ivoa.net/std/ADQL#v2.1\">2.1</version>\n\
         <description>ADQL 2.1</description>\n\
         <languageFeatures type=\"ivo://ivoa.net/std/TAPRegExt#features-adqlgeo\">\n"
        .to_owned();
    let geometry = Standard::ALL.iter().filter(|function| {
        matches!(function.gives(), Gives::Point | Gives::Region)
            || [
                "AREA",
                "CONTAINS",
                "COORD1",
                "COORD2",
                "COORDSYS",
                "DISTANCE",
                "INTERSECTS",
            ]
            .contains(&function.name())
    });
    for function in geometry {
        text += &format!("<feature><form>{}</form></feature>\n", function.name());
    }
    text += "</languageFeatures>\n";
    for (kind, forms) in [
        ("string", ["LOWER", "UPPER", "ILIKE"].as_slice()),
        ("sets", &["UNION", "EXCEPT", "INTERSECT"]),
        ("common-table", &["WITH"]),
        ("type", &["CAST"]),
        ("conditional", &["COALESCE"]),
        ("unit", &["IN_UNIT"]),
        ("offset", &["OFFSET"]),
    ] {
        text += &format!(
            "<languageFeatures type=\"ivo://ivoa.net/std/TAPRegExt#features-adql-{kind}\">\n"
        );
        for form in forms {
            text += &format!("<feature><form>{form}</form></feature>\n");
        }
        text += "</languageFeatures>\n";
    }
    text + "</language>\n"
}

const NAMESPACES: &str = "xmlns:vosi=\"http://www.ivoa.net/xml/VOSITables/v1.0\"\
     \x20xmlns:vs=\"http://www.ivoa.net/xml/VODataService/v1.1\"\
     \x20xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";

/// VOSI 1.1 section 2.4.1: `detail=min` leaves the columns out.
fn detail(query: Option<&str>) -> Result<bool, Box<Response>> {
    let refuse =
        |message: String| Box::new((StatusCode::BAD_REQUEST, message + "\n").into_response());
    let parameters = Parameters::parse(query, &[]);
    match parameters.single("DETAIL").map_err(refuse)? {
        None => Ok(true),
        Some(detail) if detail.eq_ignore_ascii_case("max") => Ok(true),
        Some(detail) if detail.eq_ignore_ascii_case("min") => Ok(false),
        Some(detail) => Err(refuse(format!("detail must be min or max, not {detail:?}"))),
    }
}

pub(super) async fn tables(
    State(archive): State<Arc<Archive>>,
    RawQuery(query): RawQuery,
) -> Response {
    let full = match detail(query.as_deref()) {
        Ok(full) => full,
        Err(refusal) => return *refusal,
    };
    let mut out = format!("{DECLARATION}<vosi:tableset {NAMESPACES}>\n").into_bytes();
    for (schema, description) in SCHEMAS {
        out.extend(b"<schema>");
        xml::element(&mut out, "name", schema);
        xml::element(&mut out, "description", description);
        out.push(b'\n');
        let tables = archive.store.tables().iter();
        for table in tables.filter(|table| table.schema() == *schema) {
            out.extend(b"<table type=\"table\">");
            write_table(&mut out, table, full);
            out.extend(b"</table>\n");
        }
        out.extend(b"</schema>\n");
    }
    out.extend(b"</vosi:tableset>\n");
    respond(out)
}

pub(super) async fn table(
    State(archive): State<Arc<Archive>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let full = match detail(query.as_deref()) {
        Ok(full) => full,
        Err(refusal) => return *refusal,
    };
    let mut tables = archive.store.tables().iter();
    let Some(table) = tables.find(|table| table.name.eq_ignore_ascii_case(&name)) else {
        return (StatusCode::NOT_FOUND, "there is no such table\n").into_response();
    };
    let mut out = format!("{DECLARATION}<vosi:table {NAMESPACES} type=\"table\">").into_bytes();
    write_table(&mut out, table, full);
    out.extend(b"</vosi:table>\n");
    respond(out)
}

fn write_table(out: &mut Vec<u8>, table: &Table, full: bool) {
    xml::element(out, "name", table.name);
    xml::element(out, "description", table.description);
    if let Some(utype) = table.utype {
        xml::element(out, "utype", utype);
    }
    if !full {
        return;
    }
    out.push(b'\n');
    for column in &table.columns {
        write_column(out, column);
    }
    for key in &table.keys {
        out.extend(b"<foreignKey>");
        xml::element(out, "targetTable", key.target_table);
        out.extend(b"<fkColumn>");
        xml::element(out, "fromColumn", key.from_column);
        xml::element(out, "targetColumn", key.target_column);
        out.extend(b"</fkColumn>");
        xml::element(out, "description", key.description);
        out.extend(b"</foreignKey>\n");
    }
}

fn write_column(out: &mut Vec<u8>, column: &Column) {
    out.extend(if column.std {
        b"<column std=\"true\">".as_slice()
    } else {
        b"<column>"
    });
    xml::element(out, "name", &column.adql_name());
    xml::element(out, "description", column.description);
    for (name, value) in [
        ("unit", column.unit),
        ("ucd", column.ucd),
        ("utype", column.utype),
    ] {
        if let Some(value) = value {
            xml::element(out, name, value);
        }
    }
    out.extend(b"<dataType xsi:type=\"vs:VOTableType\"");
    for (name, value) in [
        ("arraysize", column.datatype.arraysize()),
        ("extendedType", column.xtype),
    ] {
        if let Some(value) = value {
            xml::attribute(out, name, value);
        }
    }
    out.push(b'>');
    out.extend(column.datatype.name().as_bytes());
    out.extend(b"</dataType>");
    for (name, set) in [
        ("indexed", column.indexed),
        ("primary", column.key),
        ("nullable", !column.key),
    ] {
        if set {
            xml::element(out, "flag", name);
        }
    }
    out.extend(b"</column>\n");
}

/// A DALI timestamp in UTC.
fn timestamp(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // 1970-01-01 is MJD 40587.
    let mjd = i64::try_from(days).unwrap_or_default() + 40_587;
    let (year, month, day) = crate::sky::civil(mjd);
    let mut text = format!("{year:04}-{month:02}-{day:02}T");
    write!(
        text,
        "{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
    .expect("writing to a string cannot fail");
    text
}
