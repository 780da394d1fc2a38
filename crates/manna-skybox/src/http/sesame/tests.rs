//! Names in all the ways people write them.

use super::{Names, answer, sexagesimal};

#[test]
fn names_in_many_spellings() {
    let names = Names::new();
    for (asked, ra) in [
        ("M87", "187.7059"),
        ("m 87", "187.7059"),
        ("  M  87 ", "187.7059"),
        ("Messier 87", "187.7059"),
        ("MESSIER087", ""),
        ("NGC 4486", "187.7059"),
        ("ngc4486", "187.7059"),
        ("Virgo A", "187.7059"),
        ("NAME Virgo A", "187.7059"),
        ("Andromeda Galaxy", "10.6847"),
        ("Bode's Galaxy", "148.8882"),
        ("Bode\u{2019}s Galaxy", "148.8882"),
        ("bodes galaxy", "148.8882"),
        ("Crab Nebula", "83.6324"),
        ("Pleiades", "56.6010"),
        ("Sirius", "101.2871"),
        ("alpha CMa", "101.2871"),
        ("alf CMa", ""),
        ("α CMa", "101.2871"),
        ("* alp CMa", "101.2871"),
        ("Alpha Canis Majoris", "101.2871"),
        ("HIP 32349", "101.2871"),
        ("HR2491", "101.2871"),
        ("Alpha Centauri", "219.9020"),
        ("alpha2 Cen", "219.8960"),
        ("gamma Vel", "122.3831"),
        ("Gamma Leonis", "154.9931"),
        ("XYZZY_NOT_A_REAL_OBJECT", ""),
        ("", ""),
        ("M 111", ""),
    ] {
        let text = answer(&names, "SNV", asked);
        if ra.is_empty() {
            assert!(
                text.contains("Nothing found") && !text.contains("%J"),
                "{asked}: {text}"
            );
        } else {
            assert!(text.contains(&format!("\n%J {ra}")), "{asked}: {text}");
        }
    }
}

#[test]
fn the_text_of_answers() {
    let names = Names::new();
    let all = [
        answer(&names, "SNV", "M87"),
        answer(&names, "-oI/SNV", "Virgo A"),
        answer(&names, "-oI/A", "Vega"),
        answer(&names, "SNV", "no <such>\nthing"),
    ];
    insta::assert_snapshot!(all.join("--------\n"));
}

#[test]
fn databases_and_flags() {
    let names = Names::new();
    for (options, known) in [
        ("", true),
        ("S", true),
        ("SNV", true),
        ("-oI/A", true),
        ("-oIf/SN", true),
        ("N", false),
        ("-oI/V", false),
        ("NV", false),
    ] {
        let text = answer(&names, options, "M31");
        assert_eq!(text.contains("%J 10.6847"), known, "{options}");
        assert_eq!(
            text.contains("%I.0 NGC 224"),
            known && options.contains('I'),
            "{options}"
        );
    }
}

#[test]
fn degrees_in_sixtieths() {
    for (ra, dec, expected) in [
        (187.705_930_77, 12.391_123_25, "12 30 49.423  +12 23 28.04"),
        (0.0, 0.0, "00 00 00.000  +00 00 00.00"),
        (359.999_999_999, -0.000_000_1, "00 00 00.000  -00 00 00.00"),
        (15.0, -89.999_999_9, "01 00 00.000  -90 00 00.00"),
        (101.287_155, -16.716_116, "06 45 08.917  -16 42 58.02"),
    ] {
        assert_eq!(sexagesimal(ra, dec), expected);
    }
}
