//! The rules by which TCP repairs a loss, and the keys that have no effect under them.

use crate::at::{Problem, Reason};
use crate::settings::Set;
use crate::spec::TcpSpec;
use base::Named;
use transport::tcp::{ExitGrowth, LossRules, Recovery, TcpConfig};

/// Returns the rules at a loss, which must suit the sender. Under ns-2's, keys without effect are refused.
pub fn loss_rules(
    spec: &TcpSpec,
    all: &Set<TcpConfig>,
    config: &TcpConfig,
) -> Result<LossRules, Problem> {
    let (rules, outside) = (config.loss_rules, spec.outside.as_ref());
    let model_based =
        outside.map_or_else(|| config.law.is_model_based(), |outside| outside.model_based);
    if let Some(at) = all.at("loss_rules").filter(|_| !rules.suit(config.recovery, model_based)) {
        let what = if model_based {
            "give a law that models the path no delivery rates".to_owned()
        } else {
            format!("know no recovery \"{}\"", config.recovery.name())
        };
        return Err(at.out_of_range(format!("ns-2's rules at a loss {what}; allowed: \"rfc\"")));
    }
    // A law from outside replaces an agent's own, and may need delivery rates, which ns-2's SACK does not have.
    let is_own = outside.is_none() || !(config.recovery.uses_sack() || model_based);
    let rules = match rules {
        LossRules::Ns2Agents if !is_own => LossRules::Rfc,
        rules => rules.of(config.recovery, config.law),
    };
    refuse_beyond_ns2(spec, &TcpConfig { loss_rules: rules, ..config.clone() })?;
    Ok(rules)
}

/// Returns the keys that have no effect under ns-2's rules at a loss, where these apply.
pub fn beyond_ns2(config: &TcpConfig) -> Vec<&'static str> {
    if config.loss_rules != LossRules::Ns2 {
        return Vec::new();
    }
    let (recovery, sack) = (config.recovery, &config.sack);
    let with_sack = recovery == Recovery::Sack;
    let beyond = [
        ("frto", config.frto.holds(recovery)),
        ("undo", config.undo.holds(recovery)),
        ("sack_reduction", with_sack),
        ("exit_grows", with_sack && sack.exit_grows != ExitGrowth::Nothing),
        ("detect_lost_retransmits", with_sack && sack.detect_lost_retransmits),
        ("smooth_oldest", with_sack && sack.smooth_oldest),
    ];
    beyond.into_iter().filter(|(_, holds)| *holds).map(|(key, _)| key).collect()
}

/// Refuses these keys where the scenario gives them.
fn refuse_beyond_ns2(spec: &TcpSpec, config: &TcpConfig) -> Result<(), Problem> {
    let beyond = beyond_ns2(config).into_iter();
    let mut said = beyond.filter_map(|key| Some((key, spec.settings.at(key)?)));
    said.next().map_or(Ok(()), |(key, at)| {
        let message =
            format!("ns-2's rules at a loss have no {key}; give loss_rules = \"rfc\" too");
        Err(at.problem(Reason::from(message)))
    })
}
