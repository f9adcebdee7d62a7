//! TCP's part of a flow: one variant's parameters, or a policy that picks among several.

use super::context::Context;
use super::policy;
use super::tcp::{axes, config};
use crate::at::{At, Problem};
use crate::document;
use crate::files::Files;
use crate::overlays::Overlays;
use crate::spec::{AUTO, ConventionsSpec, TcpSpec, VariantKey};
use crate::value::Value;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::sync::Arc;
use transport::tcp::TcpConfig;
use world::TransportPlan;

/// Returns a connection's parameters, with the conventions' values for keys that are left out.
pub fn tcp(spec: Option<&TcpSpec>, context: &Context<'_>) -> Result<TransportPlan, Problem> {
    let Context { overlays, files, .. } = context;
    let empty = TcpSpec::default();
    let spec = spec.unwrap_or(&empty);
    let policy = policy::policy(spec, overlays, files)?;
    let axes = axes(spec)?;
    let picks = spec.variant.as_ref().is_some_and(|at| at.value == VariantKey::Auto);
    if let Some(policy) = policy.filter(|_| picks && spec.outside.is_none()) {
        let config = Arc::new(policy::agreed(&policy));
        let variant = AUTO.0.into();
        return Ok(TransportPlan::Tcp { variant, config, policy: Some(Arc::new(policy)) });
    }
    let variant = axes.name.as_str().into();
    let config = Arc::new(config(spec, axes, overlays)?);
    Ok(TransportPlan::Tcp { variant, config, policy: None })
}

/// Returns a connection's parameters by these conventions and a table of TCP's, without a scenario.
///
/// # Errors
/// Returns the first [`Problem`] of the table, or of the name of the conventions.
pub fn tcp_config(conventions: &str, table: &str) -> Result<TcpConfig, Problem> {
    let first = |mut problems: Vec<Problem>| problems.swap_remove(0);
    let spec: TcpSpec = document::table(table).map_err(first)?;
    let named = ConventionsSpec::from_text(conventions).map_err(|why| why.at(0..0))?;
    let (mut problems, named) = (Vec::new(), At { value: named, place: 0..0 });
    let overlays =
        Overlays::of(&named, (&Files::default(), &|| Cow::Owned(Json::Null)), &mut problems);
    match problems.pop() {
        Some(problem) => Err(problem),
        None => config(&spec, axes(&spec)?, &overlays),
    }
}
