//! What can be asked of the conversations about a package.

use holdpoint_check::ApiError;
use serde_json::Value;

/// A body, or what is wrong with it: that is said behind the session.
pub struct Sent {
    /// Null where there is a fault.
    pub body: Value,
    pub fault: Option<(u16, ApiError)>,
}

/// Where a page of a list begins and how long it is, as sent.
#[derive(Default)]
pub struct PageAsked {
    pub cursor: Option<String>,
    pub limit: Option<String>,
}

#[derive(Default)]
pub struct WhichAsked {
    pub target_type: Option<String>,
    pub target_id: Option<String>,
    pub workflow_id: Option<String>,
    pub status: Option<String>,
}

pub enum SessionCommand {
    Open {
        sent: Sent,
    },
    List {
        which: WhichAsked,
        page: PageAsked,
    },
    Show {
        session: String,
        all: bool,
        page: PageAsked,
        language: Option<String>,
    },
    Delete {
        session: String,
    },
    Context {
        session: String,
    },
    Preview {
        session: String,
        set: Option<String>,
    },
    Cancel {
        session: String,
    },
    Stage {
        sent: Sent,
    },
    Validate {
        sent: Sent,
    },
    Discard {
        sent: Sent,
    },
    Revert {
        sent: Sent,
    },
    /// The session is that of the path, else that of the body.
    Apply {
        session: Option<String>,
        sent: Sent,
    },
    Audit {
        session: Option<String>,
        kind: Option<String>,
        page: PageAsked,
    },
    Metrics,
}

impl Sent {
    pub fn value(&self) -> Result<&Value, ApiError> {
        match &self.fault {
            None => Ok(&self.body),
            Some((status, fault)) => Err(fault.clone().status(*status)),
        }
    }
}
