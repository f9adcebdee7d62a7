"""Circles among the modules of a crate."""

from pathlib import Path

from module_circles import circles


def crate(folder: Path, files: dict[str, str]) -> Path:
    """Write the sources of a crate."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_parent_and_a_child_that_use_each_other_are_a_circle_with_its_names(
    tmp_path: Path,
) -> None:
    source = crate(
        tmp_path,
        {
            "lib.rs": "mod a;\npub use a::Shared;",
            "a.rs": "mod b;\npub struct Shared;\nfn f() { b::work(); }",
            "a/b.rs": "use crate::Shared;\npub fn work() {}",
        },
    )
    [circle] = circles(source)
    assert circle.files == {"a.rs", "a/b.rs"}
    assert circle.arrows == ["a.rs -> a/b.rs (work)", "a/b.rs -> a.rs (Shared)"]


def test_a_re_export_is_an_arrow_only_where_the_parent_uses_the_name(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod a;",
        "a.rs": "mod b;\npub use b::Work;\npub struct Shared;",
        "a/b.rs": "use super::Shared;\npub struct Work(Shared);",
    }
    assert circles(crate(tmp_path / "passed on", files)) == []
    files["a.rs"] += "\nfn f(_: Work) {}"
    [circle] = circles(crate(tmp_path / "used", files))
    assert circle.arrows == ["a.rs -> a/b.rs (Work)", "a/b.rs -> a.rs (Shared)"]


def test_siblings_are_found_through_their_module_and_by_way_of_a_third(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod a;\nmod b;\nmod c;",
        "a.rs": "use crate::{b::{self}};\npub fn f() { b::g() }",
        "b.rs": "pub fn g() { super::c::h() }",
        "c.rs": "pub fn h() { crate::a::f() }",
    }
    [circle] = circles(crate(tmp_path, files))
    assert circle.files == {"a.rs", "b.rs", "c.rs"}


def test_tests_comments_and_texts_are_no_arrows(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod a;\nmod b;",
        "a.rs": "use crate::b::g;\npub fn f() { g() }",
        "b.rs": '/// Like [`f`](crate::a::f).\npub fn g() { print("crate::a::f") }\n'
        "#[cfg(test)]\nmod tests {\n    use crate::a::f;\n}",
    }
    assert circles(crate(tmp_path, files)) == []


def test_a_registry_that_declares_its_modules_in_a_macro_is_seen(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod law;\n#[cfg(test)]\nmod testing;",
        "law.rs": "pub trait Law {}\nmacro_rules! laws { ($($m:ident),+) => { $(mod $m;)+ } }\n"
        "laws! { reno::Reno }",
        "law/reno.rs": "use super::Law;\npub struct Reno;\nimpl Law for Reno {}",
        "testing.rs": "use crate::law::Law;",
    }
    [circle] = circles(crate(tmp_path, files))
    assert circle.arrows == ["law.rs -> law/reno.rs (Reno)", "law/reno.rs -> law.rs (Law)"]


def test_what_is_taken_in_whole_goes_to_where_it_is_defined(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod a;\nmod b;\npub use a::*;",
        "a.rs": "pub struct Shared;\nfn f() { crate::b::g() }",
        "b.rs": "use crate::Shared;\npub fn g(_: Shared) {}",
    }
    [circle] = circles(crate(tmp_path, files))
    assert circle.arrows == ["a.rs -> b.rs (g)", "b.rs -> a.rs (Shared)"]
