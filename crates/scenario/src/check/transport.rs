//! TCP's part of a flow: one variant's parameters, or a policy that picks among several.

use super::context::Context;
use super::policy;
use super::tcp::{axes, config};
use crate::at::Problem;
use crate::spec::{AUTO, TcpSpec, VariantKey};
use std::sync::Arc;
use world::TransportPlan;

/// A connection's parameters, with the conventions' values for what is left out.
pub fn tcp(spec: Option<&TcpSpec>, context: &Context<'_>) -> Result<TransportPlan, Problem> {
    let &Context { conventions, files, .. } = context;
    let empty = TcpSpec::default();
    let spec = spec.unwrap_or(&empty);
    let policy = policy::policy(spec, conventions, files)?;
    let axes = axes(spec)?;
    let picks = spec.variant.as_ref().is_some_and(|at| at.value == VariantKey::Auto);
    if let Some(policy) = policy.filter(|_| picks && spec.outside.is_none()) {
        let config = policy::agreed(&policy);
        let variant = AUTO.0.to_owned();
        return Ok(TransportPlan::Tcp { variant, config, policy: Some(Arc::new(policy)) });
    }
    let variant = axes.name.clone();
    Ok(TransportPlan::Tcp { variant, config: config(spec, axes, conventions)?, policy: None })
}
