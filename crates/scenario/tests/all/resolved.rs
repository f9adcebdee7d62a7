//! The whole document that a run is built from: it is a scenario of the same results, and its hash is the run's identity.

use scenario::{Files, Laws, Resolved, Scenario, resolve, run};
use std::path::{Path, PathBuf};

const CELL: &str = "duration = '1 s'\n[[cell]]\nname = 'c'\naccess_point = 'ap'\nstations = 2\n[[flow]]\nfrom = \
                    'sta1'\nto = 'ap'\ntransport = 'udp'\napp = { kind = 'saturated', payload = '100 B' }\n";

fn resolved<T>(text: &str, overrides: &[&str], of: impl Fn(&Resolved<'_>) -> T) -> T {
    let overrides: Vec<String> = overrides.iter().map(|&each| each.to_owned()).collect();
    let known = (&Laws::default(), &Files::default());
    of(&resolve(text, "x.toml", &overrides, known).expect("a good scenario").1)
}

fn identity(text: &str, overrides: &[&str]) -> String {
    resolved(text, overrides, |each| each.identity())
}

fn document(text: &str, overrides: &[&str]) -> String {
    resolved(text, overrides, |each| each.to_toml())
}

#[test]
fn a_scenario_is_known_however_it_is_written() {
    let plain = identity(CELL, &[]);
    assert_eq!(plain.len(), 32);
    assert_eq!(plain, identity(&format!("# a comment\nseed = 7\nname = 'other'\n{CELL}"), &[]));
    assert_eq!(plain, identity(&CELL.replace("'1 s'", "'1000 ms'"), &[]));
    let other_order = CELL.replace("from = 'sta1'\nto = 'ap'\n", "to = 'ap'\nfrom = 'sta1'\n");
    assert_ne!(other_order, CELL);
    assert_eq!(plain, identity(&other_order, &[]));
    assert_eq!(identity(CELL, &["duration=2 s"]), identity(&CELL.replace("1 s", "2 s"), &[]));
    assert_eq!(plain, identity(CELL, &["conventions=standard"]));
    assert_eq!(plain, identity(CELL, &["mac.retry_limit_counts=attempts"]));
    assert_eq!(identity(CELL, &["conventions=ns2"]), identity(CELL, &["conventions=ns2.35"]));
    for other in [
        "duration=2 s",
        "mac.short_retry_limit=3",
        "conventions=ns2",
        "measures=[\"acks\"]",
        "flow.0.app.payload=101 B",
        "queue=51 packets",
        "cell.0.stations=3",
    ] {
        assert_ne!(plain, identity(CELL, &[other]), "{other}");
    }
}

#[test]
fn a_value_has_its_origin_behind_it() {
    let text = document(CELL, &["conventions=ns2", "mac.short_retry_limit=3"]);
    for line in [
        "duration = \"1 s\"  # x.toml:1",
        "short_retry_limit = 3  # --set mac.short_retry_limit=3",
        "long_retry_limit = 4  # default",
        "model = \"ideal\"  # follows from other values",
    ] {
        assert!(text.lines().any(|each| each == line), "{line} in\n{text}");
    }
    assert!(text.contains("  # ns2.35\n"), "{text}");
}

#[test]
fn files_count_by_their_content() {
    let scenario = |name: &str| {
        format!(
            "duration = '1 s'\n[[link]]\nends = ['a', 'b']\nrate = '1 Mbps'\n[[flow]]\nfrom = 'a'\nto = 'b'\n\
             app = {{ kind = 'video', file = '{name}', format = 'sizes', interval = '40 ms' }}\n"
        )
    };
    let of = |name: &str, content: &str| {
        let mut files = Files::default();
        files.texts.insert(name.to_owned(), Ok(content.to_owned()));
        let text = scenario(name);
        let (_, found) = resolve(&text, "x.toml", &[], (&Laws::default(), &files)).unwrap();
        (found.identity(), found.to_toml())
    };
    let (plain, document) = of("v", "100\n");
    assert!(document.contains("file = \"v\"  # x.toml:8, content "), "{document}");
    assert_eq!(plain, of("w", "100\n").0);
    assert_ne!(plain, of("v", "101\n").0);
}

/// All scenarios that come with lasthop.
fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let entries = std::fs::read_dir(folder).expect("the folder of scenarios");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

fn of_file<'a>(path: &Path, text: &'a str) -> (Scenario, Resolved<'a>) {
    let folder = path.parent().expect("a folder");
    let names = scenario::files_named(text, "x.toml", &[]).expect("a scenario");
    let read = |name: &String| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())
    };
    let files =
        Files { texts: names.into_iter().map(|name| (name.clone(), read(&name))).collect() };
    match resolve(text, "x.toml", &[], (&Laws::default(), &files)) {
        Ok(resolved) => resolved,
        Err(errors) => panic!("{}: {}\n{text}", path.display(), errors[0]),
    }
}

#[test]
fn the_document_of_every_shipped_scenario_runs_as_it_does() {
    let paths = shipped();
    assert!(paths.len() > 10, "{paths:?}");
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a scenario");
        let (_, first) = of_file(&path, &text);
        let document = first.to_toml();
        let (_, second) = of_file(&path, &document);
        assert_eq!(second.identity(), first.identity(), "{}\n{document}", path.display());
        let short = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("duration")).expect("a duration");
            let warm = text.lines().find(|line| line.starts_with("warmup"));
            let text = text.replace(line, "duration = \"2 s\"");
            let text = warm.map_or(text.clone(), |line| text.replace(line, "warmup = \"0 s\""));
            scenario::check(&text, "x.toml", &[]).ok()?;
            Some(run(&of_file(&path, &text).0, None, 0))
        };
        if let (Some(was), Some(is)) = (short(&text), short(&document)) {
            assert_eq!(was, is, "{}\n{document}", path.display());
        }
    }
}

#[test]
fn a_law_from_outside_stands_where_it_is_used() {
    let known = vec![scenario::KnownLaw { name: "mine".to_owned(), model_based: false }];
    let everywhere = Laws { known: known.clone(), everywhere: Some(0) };
    let link = "duration = '1 s'\n[[link]]\nends = ['a', 'b']\nrate = '1 Mbps'\n[[flow]]\nfrom = 'a'\nto = 'b'\n";
    let text = format!("{link}tcp.variant = 'linux-cubic'\n");
    let files = Files::default();
    let (_, first) = resolve(&text, "x.toml", &[], (&everywhere, &files)).unwrap();
    let document = first.to_toml();
    assert!(document.contains("law = \"mine\"  # x.toml:8\n"), "{document}");
    let named = Laws { known, everywhere: None };
    let (_, second) = resolve(&document, "x.toml", &[], (&named, &files)).unwrap();
    assert_eq!(second.identity(), first.identity(), "{document}");
    assert_ne!(first.identity(), identity(&text, &[]));
}
