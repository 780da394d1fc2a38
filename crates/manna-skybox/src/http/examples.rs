//! `/tap/examples` (DALI 1.1 section 2.3, TAP 1.1 section 2.4): queries to begin with.

use axum::response::{IntoResponse, Response};

use crate::wire::xml;

/// Title, explanation, query.
const EXAMPLES: &[(&str, &str, &str)] = &[
    (
        "Sources near M 87",
        "A cone of 0.1 degrees in the made-up catalogue, the nearest source first.",
        "SELECT TOP 10 source_id, ra, dec, phot_g_mean_mag,\n  \
         DISTANCE(POINT(ra, dec), POINT(187.7059, 12.3911)) AS separation\n\
         FROM synth.gaia_like\n\
         WHERE 1 = CONTAINS(POINT(ra, dec), CIRCLE(187.7059, 12.3911, 0.1))\n\
         ORDER BY separation",
    ),
    (
        "How many observations of each globular cluster",
        "Joins the Messier objects with the made-up observations.",
        "SELECT m.name, COUNT(*) AS observations\n\
         FROM messier.objects AS m\n\
         JOIN ivoa.obscore AS o ON o.target_name = m.name\n\
         WHERE m.otype = 'GlC'\n\
         GROUP BY m.name\n\
         ORDER BY observations DESC",
    ),
    (
        "Images that cover a position",
        "Footprints are regions: INTERSECTS finds those that a circle touches.",
        "SELECT obs_id, instrument_name, s_region\n\
         FROM ivoa.obscore\n\
         WHERE dataproduct_type = 'image'\n  \
         AND 1 = INTERSECTS(s_region, CIRCLE(83.8221, -5.3911, 0.05))",
    ),
];

pub(super) async fn page() -> Response {
    let mut out = b"<!DOCTYPE html>\n\
        <html xmlns=\"http://www.w3.org/1999/xhtml\">\n\
        <head><title>manna skybox: example queries</title></head>\n\
        <body vocab=\"http://www.ivoa.net/rdf/examples#\">\n"
        .to_vec();
    for (number, (title, explanation, query)) in EXAMPLES.iter().enumerate() {
        let id = format!("example{}", number + 1);
        out.extend(b"<div typeof=\"example\"");
        xml::attribute(&mut out, "id", &id);
        xml::attribute(&mut out, "resource", &format!("#{id}"));
        out.extend(b">\n<h2 property=\"name\">");
        xml::escape(&mut out, title);
        out.extend(b"</h2>\n");
        xml::element(&mut out, "p", explanation);
        out.extend(b"\n<pre property=\"query\">");
        xml::escape(&mut out, query);
        out.extend(b"</pre>\n</div>\n");
    }
    out.extend(b"</body>\n</html>\n");
    let headers = [(axum::http::header::CONTENT_TYPE, "application/xhtml+xml")];
    (headers, out).into_response()
}
