//! A value of the wrong type at every key of the format: refused in the format's words, with its line and column.

use scenario::{Files, Laws, check, check_by};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// A way to every key that the schema knows, places in lists as "0": into each type once.
fn paths(root: &Json, schema: &Json, path: &[String], found: &mut (Vec<Vec<String>>, Vec<String>)) {
    if !path.is_empty() && found.0.last().is_none_or(|last| last != path) {
        found.0.push(path.to_vec());
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
        if !found.1.iter().any(|known| known == name) {
            found.1.push(name.to_owned());
            paths(root, &root["$defs"][name], path, found);
        }
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            paths(root, one, path, found);
        }
    }
    for (key, inside) in schema["properties"].as_object().into_iter().flatten() {
        paths(root, inside, &[path, std::slice::from_ref(key)].concat(), found);
    }
    if let Some(inside) = schema.get("items") {
        paths(root, inside, &[path, &["0".to_owned()]].concat(), found);
    }
    if let Some(inside) = schema.get("additionalProperties").filter(|inside| inside.is_object()) {
        paths(root, inside, &[path, &["any".to_owned()]].concat(), found);
    }
}

/// A document with `value` at the end of `path`, and nothing else but what leads there.
fn inline(path: &[String], value: &str) -> String {
    match path.split_first() {
        None => value.to_owned(),
        Some((step, rest)) if step == "0" => format!("[{}]", inline(rest, value)),
        Some((key, rest)) => format!("{{ {key} = {} }}", inline(rest, value)),
    }
}

const WRONG: &[&str] = &[
    "\"x\"",
    "-7",
    "1.5",
    "nan",
    "true",
    "[]",
    "[1]",
    "[\"x\"]",
    "[[1]]",
    "{ x = 1 }",
    "1979-05-27",
    "9223372036854775807",
];

#[test]
fn no_message_names_a_type_of_the_source() {
    let schema: Json = serde_json::from_str(&scenario::schema()).unwrap();
    let mut visited = (Vec::new(), Vec::new());
    paths(&schema, &schema, &[], &mut visited);
    let types: Vec<&String> = schema["$defs"].as_object().map(Map::keys).unwrap().collect();
    let (all, entered) = visited;
    assert_eq!(entered.len(), types.len(), "every type of the schema is entered");
    assert!(all.len() > 300, "{}", all.len());
    // Written once: each of 5,000 mistakes would write it anew.
    let at_hand = || Cow::Borrowed(&schema);
    let (laws, files) = (Laws::default(), Files::default());
    let (mut refused, mut tried) = (0, 0);
    for path in &all {
        for wrong in WRONG {
            let (key, rest) = path.split_first().unwrap();
            let line = format!("{key} = {}\n", inline(rest, wrong));
            tried += 1;
            let Err(errors) = check_by(&line, "x.toml", &[], (&laws, &files), &at_hand) else {
                continue;
            };
            let message = errors[0].to_string();
            let (first, _) = message.split_once('\n').unwrap_or((&message, ""));
            assert!(first.starts_with("x.toml:1:"), "{line}{message}");
            let words: Vec<&str> =
                first.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let bad = [
                "struct", "enum", "sequence", "i64", "u32", "u64", "f64", "usize", "boolean",
                "expected", "Spec", "spanned", "private",
            ];
            assert!(!first.contains("__"), "{line}{message}");
            assert!(!bad.iter().any(|bad| words.contains(bad)), "{line}{message}");
            let said = first.replace(*wrong, "");
            assert!(
                !types.iter().any(|name| name.len() > 4
                    && name.chars().skip(1).any(char::is_uppercase)
                    && said.contains(name.as_str())),
                "{line}{message}"
            );
            if first.contains("found ") || first.contains("unknown ") {
                let says = ["allowed: ", "units: ", "write it as "];
                assert!(says.iter().any(|says| first.contains(says)), "{line}{message}");
                refused += 1;
            }
        }
    }
    assert!(refused * 3 > tried, "{refused} of {tried}");
}

#[test]
fn the_nearest_right_line_is_named() {
    let message = |line: &str| check(&format!("{line}\n"), "x.toml", &[]).unwrap_err().to_string();
    for (line, says) in [
        (
            "phy = \"802.11g\"",
            "found \"802.11g\"; allowed: a table [phy], such as phy = { standard = \"802.11g\" }; its keys: ",
        ),
        ("phy = \"802.11q\"", "such as phy = { standard = \"802.11"),
        ("tcp = \"reno\"", "such as tcp = { variant = \"reno\" }"),
        ("channel = \"bernoulli\"", "such as channel = { model = \"bernoulli\" }"),
        ("udp = 1", "found 1; allowed: a table [udp] with the keys "),
        ("seed = \"5\"", "found \"5\"; allowed: a whole number, such as seed = 5"),
        ("seed = \"x\"", "allowed: a whole number, such as seed = 1"),
        ("seed = 1979-05-27", "found the date 1979-05-27; allowed: a whole number"),
        ("phy = 1979-05-27", "found the date 1979-05-27; allowed: a table [phy] with the keys "),
        (
            "conventions = 3",
            "found 3; allowed: the name of a set of conventions, in quotes: standard, ns2.35, ns2, ns2.1b8, ns2.1b7",
        ),
        (
            "tcp = { dup_thresh = -1 }",
            "found -1; allowed: a whole number from 0 to 4294967295, such as dup_thresh = 1",
        ),
        ("name = 3", "found 3; allowed: text in quotes, such as name = \"3\""),
        ("measures = \"delay_split\"", "allowed: a list, such as measures = [\"delay_split\"]"),
        ("link = \"a\"", "allowed: tables, each of which begins with [[link]]"),
        ("link = [1]", "found 1; allowed: a table [[link]] with the keys "),
        ("link = [{ ends = \"a\" }]", "allowed: a list, such as ends = [\"a\"]"),
        ("link = [{ one_way = \"x\" }]", "allowed: true or false, such as one_way = true"),
        (
            "[tcp]\nlaw_options = 3",
            "found 3; allowed: a table of any names, such as law_options = { name = 1 }",
        ),
    ] {
        let message = message(line);
        assert!(message.contains(says), "{line}: {message}");
    }
    let overrides = ["phy=\"802.11g\"".to_owned()];
    let message = check("duration = \"1 s\"\n", "x.toml", &overrides).unwrap_err().to_string();
    assert!(message.contains("such as phy = { standard = \"802.11g\" }"), "{message}");
    assert!(message.starts_with("--set phy="), "{message}");
}

#[test]
fn what_is_nested_too_deep_has_its_place() {
    let refused = |text: &str, overrides: &[String]| {
        check(text, "x.toml", overrides).unwrap_err().to_string()
    };
    let dotted = format!("duration = \"1 s\"\n\"a.b\" = 1\na{} = 1\n", ".a".repeat(3000));
    assert!(
        refused(&dotted, &[]).starts_with("x.toml:3:1: error: a key has too many parts"),
        "{}",
        refused(&dotted, &[])
    );
    let header = format!("duration = \"1 s\"\n[a{}]\nb = 1\n", ".a".repeat(3000));
    assert!(refused(&header, &[]).starts_with("x.toml:2:1: error: a key has too many parts"));
    let list = format!("duration = \"1 s\"\nname = {}", "[".repeat(3000));
    let message = refused(&list, &[]);
    assert!(message.starts_with("x.toml:2:") && message.contains("nested too deep"), "{message}");
    let set = format!("tcp.window={}", "[".repeat(3000));
    let message = refused("duration = \"1 s\"\n", &[set]);
    assert!(message.starts_with("--set tcp.window=[") && message.contains("nested too deep"));
    assert!(message.len() < 1500, "{}", message.len());
}

#[test]
fn a_long_value_is_not_echoed_whole() {
    let long = "x".repeat(100_000);
    let blanks = "x ".repeat(50_000);
    for text in [
        format!("duration = \"{long}\"\n"),
        format!("duration = \"{blanks}\"\n"),
        format!("conventions = \"{long}\"\n"),
        format!("phy = \"{blanks}\"\n"),
        format!("{long} = 1\n"),
        format!("measures = \"{long}\"\n"),
    ] {
        let message = check(&text, "x.toml", &[]).unwrap_err().to_string();
        assert!(
            message.len() < 4000 && message.contains(" | ") && message.contains('…'),
            "{}: {message}",
            message.len()
        );
    }
}
