//! The shipped documents.

use super::*;

#[test]
fn every_document_is_right_and_says_what_it_is_for() {
    for (name, _) in SHIPPED {
        let document = shipped(name);
        assert!(document.about.is_some(), "{name}");
        assert!(document.law.keys().all(|law| LawName::by_name(law).is_some()), "{name}");
    }
}

#[test]
fn every_name_and_every_stack_has_a_document() {
    let names = Conventions::ALL.iter().flat_map(|name| documents(*name)).copied();
    let stacks = transport::tcp::variants::VARIANTS.iter().filter_map(|variant| variant.stack);
    for name in names.chain(stacks) {
        assert!(SHIPPED.iter().any(|row| row.0 == name), "{name}");
    }
}
