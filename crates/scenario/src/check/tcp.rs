//! TCP's parameters.

use super::bounds::refuse_packet;
use super::loss_rules::loss_rules;
use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::nearest::unknown;
use crate::overlays::Overlays;
use crate::spec::{LawKey, LawValue, TcpSpec, VariantKey};
use base::{Given, Named, Options};
use transport::tcp::variants::{VARIANTS, Variant};
use transport::tcp::{LawName, Recovery, TcpConfig};

/// The largest window: what the receiver's window field holds here, in bytes.
const LARGEST_WINDOW: u64 = u32::MAX as u64;

/// Returns the parameters of a connection with this variant, whichever the file names.
pub fn config_of(
    spec: &TcpSpec,
    variant: &Variant,
    overlays: &Overlays,
) -> Result<TcpConfig, Problem> {
    config(spec, Axes::of(variant), overlays)
}

/// Returns the parameters of a connection with this recovery and law: the file's over those of the documents that it names.
pub fn config(spec: &TcpSpec, axes: Axes, overlays: &Overlays) -> Result<TcpConfig, Problem> {
    settled(spec, axes, overlays).map(|(_, config)| config)
}

/// Returns the settings by file and documents, before some of them decide others.
pub fn settled(
    spec: &TcpSpec,
    axes: Axes,
    overlays: &Overlays,
) -> Result<(TcpConfig, TcpConfig), Problem> {
    let Axes { recovery, law, options, stack, .. } = axes;
    let mut config = TcpConfig {
        law_options: options,
        custom_law: spec.outside.as_ref().map(|law| law.number),
        ..TcpConfig::standard(recovery, law)
    };
    let mut all = overlays.tcp(law, stack);
    all.lay(&spec.settings);
    let window = all.take("window");
    all.apply(&mut config);
    let said = config.clone();
    // A key of the file is at fault before one of a document; shipped documents have no place, and are correct.
    let place = |keys: [&str; 2]| {
        let own = keys.iter().find_map(|key| spec.settings.at(key));
        let laid = keys.iter().filter_map(|key| all.at(key)).find(|at| !at.place.is_empty());
        own.or(laid)
    };
    if let Some(at) = place(["mss", "header"]) {
        refuse_packet(at, config.mss, config.header_bytes)?;
    }
    if let Some(at) = window {
        config.receive_window = window_bytes(&at, config.mss)?;
    }
    if let Some(at) = place(["rto_max", "rto_min"]).filter(|_| config.rto.min > config.rto.max) {
        return Err(at.out_of_range("rto_min is above rto_max; allowed: rto_min <= rto_max"));
    }
    config.loss_rules = loss_rules(spec, &all, &config)?;
    if let Some(at) = all.at("eln").filter(|_| config.eln && recovery.uses_sack()) {
        let message =
            "the recoveries with SACK know nothing of it; allowed: recovery tahoe, reno or newreno";
        return Err(at.out_of_range(message));
    }
    config.initial_ssthresh = config.first_threshold();
    Ok((said, config))
}

/// Returns a window in bytes, which holds a segment.
fn window_bytes(at: &At<Given>, mss: u32) -> Result<u64, Problem> {
    let bytes = match at.value {
        Given::Count(segments) => u64::from(segments) * u64::from(mss),
        Given::Bytes(bytes) => bytes,
        _ => 0,
    };
    if bytes < u64::from(mss) {
        let message = format!("a window of {bytes} B holds no segment of {mss} B");
        return Err(at.problem(message));
    }
    if bytes > LARGEST_WINDOW {
        return Err(
            at.out_of_range(format!("a window of {bytes} B; allowed: at most {LARGEST_WINDOW} B"))
        );
    }
    Ok(bytes)
}

/// Recovery and law, with the law's parameters.
#[derive(Clone, Debug)]
pub struct Axes {
    /// The name in results.
    pub name: String,
    /// The recovery.
    pub recovery: Recovery,
    /// The law.
    pub law: LawName,
    /// The law's parameters that are not its defaults.
    pub options: Options,
    /// The document of the variant.
    pub stack: Option<&'static str>,
}

impl Axes {
    fn of(variant: &Variant) -> Axes {
        let Variant { name, recovery, law, options, stack, .. } = *variant;
        Axes { name: name.to_owned(), recovery, law, options: Options::of(options), stack }
    }
}

/// Returns recovery and law, by the name of a variant or each by its own, with the law's parameters.
pub fn axes(spec: &TcpSpec) -> Result<Axes, Problem> {
    let spelled =
        spec.recovery.as_ref().map(|at| &at.place).or(spec.law.as_ref().map(|at| &at.place));
    let mut axes = match (&spec.variant, spelled) {
        (Some(_), Some(place)) => {
            let message = "a variant is a recovery and a law; give variant, or recovery and law";
            return Err(Reason::from(message).at(place.clone()));
        }
        (Some(variant), None) => match variant.value {
            VariantKey::Named(variant) => Axes::of(variant),
            // A law from outside has the default recovery.
            VariantKey::Auto => spelled_out(spec),
        },
        (None, _) => spelled_out(spec),
    };
    match &spec.outside {
        None => law_options(spec, axes.law, &mut axes.options)?,
        Some(outside) => {
            let recovery = format!("{:?}", axes.recovery).to_lowercase();
            axes.name = format!("{recovery}+{}", outside.name);
            axes.law = LawName::Reno;
            axes.options = outside_options(spec)?;
        }
    }
    Ok(axes)
}

/// Returns recovery and law, each with its default.
fn spelled_out(spec: &TcpSpec) -> Axes {
    let law = match spec.law.as_ref().map(|at| &at.value) {
        Some(LawKey::Own(law)) => *law,
        Some(LawKey::Other(_)) | None => LawName::Reno,
    };
    let outside = spec.outside.as_ref();
    let model_based = outside.map_or_else(|| law.is_model_based(), |outside| outside.model_based);
    let default = Recovery::default_for(model_based);
    let recovery = spec.recovery.as_ref().map_or(default, |at| at.value.0);
    let (name, options) = (name_of(recovery, law), Options::default());
    Axes { name, recovery, law, options, stack: None }
}

/// Returns the variant of these two, or "RECOVERY+LAW".
fn name_of(recovery: Recovery, law: LawName) -> String {
    let plain = |v: &&Variant| {
        (v.recovery, v.law, v.stack) == (recovery, law, None) && v.options.is_empty()
    };
    let spelled = || format!("{recovery:?}+{}", law.name()).to_lowercase();
    VARIANTS.iter().find(plain).map_or_else(spelled, |variant| variant.name.to_owned())
}

/// Sets the law's parameters; a name or a choice that it does not have is refused.
fn law_options(spec: &TcpSpec, law: LawName, options: &mut Options) -> Result<(), Problem> {
    for (name, at) in &spec.law_options {
        let LawValue::OfLaw(table) = &at.value else {
            law_option(law, (name, at), options)?;
            continue;
        };
        let of = LawName::by_name(name);
        let of = of.ok_or_else(|| at.problem(unknown("law", name, &LawName::names())))?;
        // Parameters of other laws are checked too.
        let mut unused = Options::default();
        let into = if of == law { &mut *options } else { &mut unused };
        for (name, at) in table {
            law_option(of, (name, at), into)?;
        }
    }
    Ok(())
}

/// Sets one parameter.
fn law_option(
    law: LawName,
    (name, at): (&str, &At<LawValue>),
    options: &mut Options,
) -> Result<(), Problem> {
    let known = law.parameters();
    let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
        let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
        let what = format!("parameter of the law \"{}\"", law.name());
        return Err(at.problem(unknown(&what, name, &names)));
    };
    let value = match &at.value {
        LawValue::Number(number) => *number,
        LawValue::Choice(choice) => {
            let place = parameter.choices.iter().position(|known| known == choice);
            let refused = || at.problem(unknown("choice", choice, parameter.choices));
            place.ok_or_else(refused)? as f64
        }
        LawValue::OfLaw(_) => {
            return Err(at.problem(
                Code::WrongKind.says("a table; allowed: a number, or the name of a choice"),
            ));
        }
    };
    options.set(name, value);
    Ok(())
}

/// Returns the parameters of a law from outside: it knows their names, but their values must be numbers.
fn outside_options(spec: &TcpSpec) -> Result<Options, Problem> {
    let mut options = Options::default();
    for (name, at) in &spec.law_options {
        match &at.value {
            LawValue::Number(number) => options.set(name, *number),
            LawValue::Choice(_) => {
                return Err(at.problem(
                    Code::WrongKind.says("a law from outside takes numbers; allowed: a number"),
                ));
            }
            LawValue::OfLaw(_) => {}
        }
    }
    Ok(options)
}
