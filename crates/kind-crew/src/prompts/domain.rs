//! The field that a project works in, as a model is told of it (spec: ai-sessions.md §7.4 "Domain profile").
//!
//! Invariant: every text is one line, and none is blank.

use holdpoint_check::{ApiError, args, codes};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::layers::words;
use super::read::{At, WrongMember};
use super::snip::collapse;

codes! {
    /// a domain profile, or what one is made from, has a member of the wrong type
    AI_DOMAIN_PROFILE_INCOMPLETE: Error,
        "Correct `{pointer}`: the profile of the field needs a value of its type there." [pointer];
}

/// Signals of the work that name a field.
const SIGNALS: usize = 8;
/// How sure a profile is that was made from so many members of the project.
const FROM_PROJECT: [f64; 5] = [0.63, 0.71, 0.79, 0.87, 0.95];
const FROM_SIGNALS: f64 = 0.5;
const FROM_NOTHING: f64 = 0.2;

/// Where a profile comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileSource {
    ProjectMeta,
    WorkflowSignal,
    Fallback,
}

impl ProfileSource {
    pub fn name(self) -> &'static str {
        match self {
            Self::ProjectMeta => "project_meta",
            Self::WorkflowSignal => "workflow_signal",
            Self::Fallback => "fallback",
        }
    }
}

/// The field, and how sure that is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DomainProfile {
    pub industry_domain: String,
    pub target_users: Vec<String>,
    pub core_pain_points: Vec<String>,
    pub expected_outcomes: Vec<String>,
    pub quality_style: Vec<String>,
    pub source: ProfileSource,
    #[serde(serialize_with = "shortest")]
    pub confidence: f64,
}

/// A whole number is written as one.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn shortest<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 { out.serialize_u64(*number as u64) } else { out.serialize_f64(*number) }
}

/// The profile that an input gives, or the one that its `domain` leads to.
pub fn resolve(input: &Value) -> Result<DomainProfile, ApiError> {
    let root = At::root(input);
    let profile = match root.member("domain_profile").given() {
        Some(given) => read_given(&given),
        None => from_domain(&root.member("domain")),
    };
    profile.map_err(|WrongMember(pointer)| {
        ApiError::of(&AI_DOMAIN_PROFILE_INCOMPLETE, args! { pointer }).with("pointer", pointer)
    })
}

fn read_given(at: &At<'_>) -> Result<DomainProfile, WrongMember> {
    at.object()?;
    let industry = at.member("industry_domain");
    let industry_domain = line(&industry)?.ok_or_else(|| industry.fault())?;
    let list = |name: &str| lines(&at.member(name));
    Ok(DomainProfile {
        industry_domain,
        target_users: list("target_users")?,
        core_pain_points: list("core_pain_points")?,
        expected_outcomes: list("expected_outcomes")?,
        quality_style: list("quality_style")?,
        source: at.member("source").read(|value| {
            let all = [ProfileSource::ProjectMeta, ProfileSource::WorkflowSignal, ProfileSource::Fallback];
            all.into_iter().find(|source| Some(source.name()) == value.as_str())
        })?,
        confidence: at
            .member("confidence")
            .read(|value| value.as_f64().filter(|number| (0.0..=1.0).contains(number)))?,
    })
}

fn from_domain(domain: &At<'_>) -> Result<DomainProfile, WrongMember> {
    if let Some(domain) = domain.clone().given() {
        domain.object()?;
    }
    let project = project(&domain.member("project_meta"))?;
    let signals = signals(&domain.member("workflow_signals"))?;
    let fallback = || words().fallback_domain.industry_domain.clone();
    let (industry, lists) = project;
    let filled = usize::from(industry.is_some()) + lists.iter().filter(|list| !list.is_empty()).count();
    let (industry_domain, source, confidence) = match filled.checked_sub(1) {
        Some(more) => (industry.unwrap_or_else(fallback), ProfileSource::ProjectMeta, FROM_PROJECT[more]),
        None if signals.is_empty() => (fallback(), ProfileSource::Fallback, FROM_NOTHING),
        None => (format!("work around {}", signals.join(", ")), ProfileSource::WorkflowSignal, FROM_SIGNALS),
    };
    let [target_users, core_pain_points, expected_outcomes, quality_style] = lists;
    Ok(DomainProfile {
        industry_domain,
        target_users,
        core_pain_points,
        expected_outcomes,
        quality_style,
        source,
        confidence,
    })
}

/// What a project says of itself; a text is a list of one.
fn project(at: &At<'_>) -> Result<(Option<String>, [Vec<String>; 4]), WrongMember> {
    if let Some(at) = at.clone().given() {
        at.object()?;
    }
    let list = |name: &str| {
        let at = at.member(name);
        if at.text().is_ok() { Ok(line(&at)?.into_iter().collect()) } else { lines(&at) }
    };
    let industry = at.member("industry_domain");
    let industry = if industry.clone().given().is_some() { line(&industry)? } else { None };
    let lists = [list("target_users")?, list("core_pain_points")?, list("expected_outcomes")?, list("quality_style")?];
    Ok((industry, lists))
}

/// What the work is called, each once.
fn signals(at: &At<'_>) -> Result<Vec<String>, WrongMember> {
    if let Some(at) = at.clone().given() {
        at.object()?;
    }
    let mut distinct: Vec<String> = Vec::new();
    for name in ["names", "variables", "asset_names"] {
        for signal in lines(&at.member(name))? {
            if distinct.len() < SIGNALS && !distinct.contains(&signal) {
                distinct.push(signal);
            }
        }
    }
    Ok(distinct)
}

/// A text in one line; none where it is blank.
fn line(at: &At<'_>) -> Result<Option<String>, WrongMember> {
    let text = collapse(at.text()?);
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// Lines of a list. An item of the wrong type is a fault of the member that lists it.
fn lines(at: &At<'_>) -> Result<Vec<String>, WrongMember> {
    Ok(at.each(line).map_err(|_| at.fault())?.into_iter().flatten().collect())
}
