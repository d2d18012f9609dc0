//! What rules see: the session, and the package before and after the set.

use std::collections::{BTreeMap, HashSet};

use super::compile::Compiled;
use super::input::{BuilderSession, SessionMode, TargetType};
use super::view::{NodeFiles, View, agent_id};
use crate::documents::graph::Graph;
use crate::policy::Endings;
use crate::rules::Scope;
use crate::rules::assets::AssetLimits;
use crate::schemas::Shape;

pub struct World<'w> {
    pub session: &'w BuilderSession,
    /// The package as it stands.
    pub before: &'w View,
    pub after: &'w View,
    pub operations: &'w [Compiled],
    pub endings: Endings<'w>,
    pub limits: AssetLimits,
    /// It takes another set back.
    pub is_inverse: bool,
    files: BTreeMap<u64, NodeFiles>,
    /// Usable graphs after the set.
    graphs: BTreeMap<u64, Graph<'w>>,
    agents: HashSet<&'w str>,
    has_asset: Box<dyn Fn(&str) -> bool + 'w>,
}

impl<'w> World<'w> {
    pub fn new(
        session: &'w BuilderSession,
        (before, after): (&'w View, &'w View),
        operations: &'w [Compiled],
        endings: Endings<'w>,
        limits: AssetLimits,
    ) -> Self {
        let usable = |(id, workflow): (&u64, &'w super::view::WorkflowObject)| {
            Shape::Graph.judge(&workflow.graph).is_empty().then(|| (*id, Graph::of(&workflow.graph)))
        };
        let touched: HashSet<u64> = operations.iter().filter_map(Compiled::workflow).collect();
        let near = || after.workflows.iter().filter(|(id, _)| touched.contains(*id));
        Self {
            session,
            before,
            after,
            operations,
            endings,
            limits,
            is_inverse: false,
            files: near().map(|(id, workflow)| (*id, NodeFiles::of(&workflow.graph))).collect(),
            graphs: near().filter_map(usable).collect(),
            agents: after.agents.iter().map(agent_id).collect(),
            has_asset: Box::new(|path| after.assets.contains_key(path)),
        }
    }

    pub fn scope(&self) -> Scope<'_> {
        Scope { agents: Some(&self.agents), has_asset: &*self.has_asset, endings: self.endings }
    }

    /// The graph of a workflow of the set, where it is usable.
    pub fn graph(&self, workflow: u64) -> Option<&Graph<'w>> {
        self.graphs.get(&workflow)
    }

    /// The nodes of a workflow of the set.
    pub fn files(&self, workflow: u64) -> Option<&NodeFiles> {
        self.files.get(&workflow)
    }

    /// Whether a workflow is neither there nor made by this session.
    pub fn lacks_workflow(&self, workflow: u64) -> bool {
        let session = self.session;
        let makes = session.mode == SessionMode::Create
            && session.target_type == TargetType::Workflow
            && session.workflow_id == Some(workflow);
        !makes && !self.before.workflows.contains_key(&workflow)
    }
}
