//! Geometry by hand: poles, wraps, boundaries, and shapes against each other.

use super::{Geometry, Position, cross, distance_deg, dot, edges, middle, norm};

fn shape(text: &str) -> Geometry {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn distances() {
    for (a, d, b, e, expected) in [
        (0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 90.0, 0.0, 90.0),
        (359.0, 0.0, 1.0, 0.0, 2.0),
        (10.0, 90.0, 200.0, 90.0, 0.0),
        (0.0, 90.0, 0.0, -90.0, 180.0),
        (0.0, 0.0, 180.0, 0.0, 180.0),
        (12.0, 34.0, 192.0, -34.0, 180.0),
        (0.0, 0.0, 1e-9, 0.0, 1e-9),
        (0.0, 0.0, 179.999_999, 0.0, 179.999_999),
        (0.0, 89.0, 180.0, 89.0, 2.0),
    ] {
        let got = distance_deg(a, d, b, e);
        assert!(
            (got - expected).abs() < 1e-12_f64.max(expected * 1e-14),
            "{got} {expected}"
        );
    }
}

#[test]
fn what_lies_in_what() {
    let square = "POLYGON ICRS 10 10 12 10 12 12 10 12";
    let polar = "POLYGON 0 80 90 80 180 80 270 80";
    let wrapped = "POLYGON 359 -1 1 -1 1 1 359 1";
    // A C, open to larger longitudes.
    let hollow = "POLYGON 0 0 4 0 4 1 1 1 1 3 4 3 4 4 0 4";
    for (inner, outer, contains, intersects) in [
        ("POINT ICRS 11 11", square, true, true),
        ("POINT ICRS 10 10", square, true, true),
        ("POINT ICRS 9.99 11", square, false, false),
        ("POINT ICRS 191 -11", square, false, false),
        ("POINT 123 89.5", polar, true, true),
        ("POINT 45 80", polar, false, false),
        ("POINT 123 -89.5", polar, false, false),
        ("POINT 0 0", wrapped, true, true),
        ("POINT 359.5 0.5", wrapped, true, true),
        ("POINT 1.5 0", wrapped, false, false),
        ("POINT 2 2", hollow, false, false),
        ("POINT 0.5 2", hollow, true, true),
        ("POINT 5 6", "POINT 365 6", true, true),
        ("POINT 5 6", "POINT 5 6.1", false, false),
        ("POINT 5 6", "CIRCLE 5 6 0", true, true),
        ("CIRCLE 11 11 0.5", square, true, true),
        ("CIRCLE 11 11 1.5", square, false, true),
        ("CIRCLE 20 11 0.5", square, false, false),
        ("CIRCLE 9 11 1.1", square, false, true),
        ("CIRCLE 2 2 0.5", hollow, false, false),
        ("CIRCLE 0 0 1", "CIRCLE 0 0.5 1.5", true, true),
        ("CIRCLE 0 0 1", "CIRCLE 0 1.9 1", false, true),
        ("CIRCLE 0 0 1", "CIRCLE 0 2.1 1", false, false),
        ("CIRCLE 0 0 1", "CIRCLE 100 0 180", true, true),
        (square, "CIRCLE 11 11 2", true, true),
        (square, "CIRCLE 11 11 1", false, true),
        (square, "CIRCLE 11 11 0.1", false, true),
        (square, "CIRCLE 191 -11 178", false, false),
        (square, "CIRCLE 191 -11 179", false, true),
        (square, "CIRCLE 100 0 179", true, true),
        ("POLYGON 10.5 10.5 11.5 10.5 11 11.5", square, true, true),
        (square, "POLYGON 10.5 10.5 11.5 10.5 11 11.5", false, true),
        ("POLYGON 11 9 11.1 9 11.1 13 11 13", square, false, true),
        ("POLYGON 20 20 21 20 21 21", square, false, false),
        ("POLYGON 3 0.5 3.5 0.5 3.5 3.5 3 3.5", hollow, false, true),
        ("POLYGON 2 1.5 3 1.5 3 2.5 2 2.5", hollow, false, false),
        (square, square, true, true),
        ("BOX 11 11 1 1", square, true, true),
        ("CIRCLE 11 11 1", "POINT 11 11", false, true),
    ] {
        let (a, b) = (shape(inner), shape(outer));
        assert_eq!(a.within(&b), contains, "{inner} in {outer}");
        assert_eq!(a.intersects(&b), intersects, "{inner} and {outer}");
        assert_eq!(b.intersects(&a), intersects, "{outer} and {inner}");
    }
}

#[test]
fn areas_and_centres() {
    let sphere = 4.0 * 180.0 * 180.0 / std::f64::consts::PI;
    for (text, area, (lon, lat)) in [
        ("POINT 10 20", 0.0, (10.0, 20.0)),
        ("CIRCLE 10 20 180", sphere, (10.0, 20.0)),
        ("CIRCLE 10 20 90", sphere / 2.0, (10.0, 20.0)),
        (
            "POLYGON 0 0 90 0 0 90",
            sphere / 8.0,
            (45.0, 35.264_389_682_754_654),
        ),
        (
            "POLYGON 0 0 0 90 90 0",
            sphere / 8.0,
            (45.0, 35.264_389_682_754_654),
        ),
        (
            "POLYGON 359.9 -0.1 0.1 -0.1 0.1 0.1 359.9 0.1",
            0.04,
            (0.0, 0.0),
        ),
    ] {
        let shape = shape(text);
        assert!(
            (shape.area_deg2() - area).abs() <= area * 2e-6,
            "{text}: {}",
            shape.area_deg2()
        );
        let centre = shape.centroid().unwrap();
        let off = distance_deg(centre.lon_deg(), centre.lat_deg(), lon, lat);
        assert!(off < 1e-9, "{text}: {centre:?}");
    }
}

#[test]
fn texts_that_are_no_geometry() {
    for text in [
        "",
        "CIRCLE",
        "CIRCLE 1 2",
        "CIRCLE 1 2 3 4",
        "CIRCLE 1 95 3",
        "CIRCLE 1 2 -3",
        "CIRCLE 1 2 nan",
        "POINT inf 1",
        "POLYGON 1 2 3 4",
        "POLYGON 1 2 3 4 5",
        "POLYGON 0 0 120 0 240 0",
        "UNION (CIRCLE 1 2 3)",
        "CIRCLE GALACTIC 1 2 3",
        "BOX 0 89 4 4",
        "187.7 12.4",
    ] {
        assert!(text.parse::<Geometry>().is_err(), "{text}");
    }
    for text in [
        "circle icrs 1 2 3",
        " Position ICRS GEOCENTER 1 2 ",
        "POINT 1.5e1 -2",
    ] {
        let first = shape(text);
        assert_eq!(shape(&first.to_string()), first);
    }
}

/// Against the definition of a convex polygon: the side of each edge's great circle.
#[test]
fn random_triangles_hold_what_their_sides_say() {
    let mut random = crate::sky::Random::new(7, 7);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..400 {
        let (lon, lat) = (random.between(0.0, 360.0), random.between(-90.0, 90.0));
        let size = 10_f64.powf(random.between(-3.0, 1.5));
        let mut near = |spread: f64| {
            let lat: f64 = lat + random.between(-spread, spread);
            let lat = lat.clamp(-90.0, 90.0);
            let stretch = lat.to_radians().cos().max(0.01);
            Position::new(lon + random.between(-spread, spread) / stretch, lat).unwrap()
        };
        let corners = vec![near(size), near(size), near(size)];
        let Ok(triangle) = Geometry::polygon(corners.clone()) else {
            continue;
        };
        for _ in 0..20 {
            let point = near(1.2 * size);
            let sides: Vec<f64> = edges(&corners)
                .map(|(a, b)| dot(cross(a, b), point.unit) / norm(cross(a, b)))
                .collect();
            if sides.iter().any(|side| side.abs() < 1e-9) {
                continue;
            }
            // All on one side, and not the antipode of the inside.
            let expected = (sides.iter().all(|side| *side > 0.0)
                || sides.iter().all(|side| *side < 0.0))
                && dot(middle(&corners).unwrap(), point.unit) > 0.0;
            assert_eq!(
                Geometry::Point(point).within(&triangle),
                expected,
                "{triangle} {point:?}"
            );
            if expected {
                inside += 1;
            } else {
                outside += 1;
            }
        }
    }
    assert!(inside > 200 && outside > 200, "{inside} {outside}");
}
