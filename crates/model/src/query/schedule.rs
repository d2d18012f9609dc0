//! 4D: tasks, work schedules, work plans and the order of tasks (spec: ifc-sdk.md §3 "`schedule`").

use serde::Serialize;

use crate::model::{Instance, Model};
use crate::relations::Role;
use crate::shapes::ExpressId;
use crate::step::Arg;

/// A task. Times are ISO texts as the file has them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub express_id: ExpressId,
    pub global_id: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub identification: Option<String>,
    pub predefined_type: Option<String>,
    pub is_milestone: bool,
    pub start: Option<String>,
    pub finish: Option<String>,
    pub duration: Option<String>,
    /// The task that it is nested in.
    pub parent: Option<ExpressId>,
    /// Work schedules that control it.
    pub schedules: Vec<ExpressId>,
    /// Products that are assigned to it.
    pub products: Vec<ExpressId>,
}

/// A work schedule or work plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkControl {
    pub express_id: ExpressId,
    pub global_id: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub identification: Option<String>,
    pub predefined_type: Option<String>,
    pub creation_date: Option<String>,
    pub start_time: Option<String>,
    pub finish_time: Option<String>,
    /// Tasks of a schedule, schedules of a plan.
    pub members: Vec<ExpressId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sequence {
    pub express_id: ExpressId,
    pub predecessor: Option<ExpressId>,
    pub successor: Option<ExpressId>,
    pub sequence_type: Option<String>,
    /// ISO duration, where the file has one.
    pub lag: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    pub tasks: Vec<Task>,
    pub work_schedules: Vec<WorkControl>,
    pub work_plans: Vec<WorkControl>,
    pub sequences: Vec<Sequence>,
}

impl Model {
    /// Tasks, schedules, plans and sequences.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            tasks: self.tasks(),
            work_schedules: self.work_schedules(),
            work_plans: self.controls("IfcWorkPlan"),
            sequences: self.sequences(),
        }
    }

    pub fn tasks(&self) -> Vec<Task> {
        self.instances("IfcTask").map(|(id, found)| self.task(id, &found)).collect()
    }

    pub fn work_schedules(&self) -> Vec<WorkControl> {
        self.controls("IfcWorkSchedule")
    }

    /// Which task comes before which.
    pub fn sequences(&self) -> Vec<Sequence> {
        let sequence = |(id, found): (ExpressId, Instance<'_>)| Sequence {
            express_id: id,
            predecessor: found.get("RelatingProcess").as_ref(),
            successor: found.get("RelatedProcess").as_ref(),
            sequence_type: found.get("SequenceType").as_enum().map(str::to_owned),
            lag: self.part(&found, "TimeLag").and_then(|lag| lag.text("LagValue")),
        };
        self.instances("IfcRelSequence").map(sequence).collect()
    }

    fn instances(&self, class: &str) -> impl Iterator<Item = (ExpressId, Instance<'_>)> {
        let records = self.records().iter().filter(move |record| self.class(**record).is_a(class));
        records.filter_map(|record| Some((record.id, self.instance(record.id)?)))
    }

    fn part(&self, found: &Instance<'_>, attribute: &str) -> Option<Instance<'_>> {
        self.instance(found.get(attribute).as_ref()?)
    }

    fn task(&self, id: ExpressId, found: &Instance<'_>) -> Task {
        let time = self.part(found, "TaskTime");
        let of = |attribute: &str| time.as_ref().and_then(|time| time.text(attribute));
        let (processes, _) = self.relations().around(id, Some(Role::Other));
        let assigned = processes.into_iter().filter(|relation| self.is_a(*relation, "IfcRelAssignsToProcess"));
        let related = assigned.filter_map(|relation| self.instance(relation));
        let products = related.flat_map(|relation| relation.get("RelatedObjects").references());
        Task {
            express_id: id,
            global_id: found.text("GlobalId"),
            name: found.text("Name"),
            description: found.text("Description"),
            identification: mark(found),
            predefined_type: found.get("PredefinedType").as_enum().map(str::to_owned),
            is_milestone: found.get("IsMilestone").as_enum() == Some("T"),
            start: of("ScheduleStart"),
            finish: of("ScheduleFinish"),
            duration: of("ScheduleDuration"),
            parent: self.decomposed_by(id).filter(|parent| self.is_a(*parent, "IfcTask")),
            schedules: self.controlling(id),
            products: products.filter(|product| self.class_of(*product).is_some()).collect(),
        }
    }

    fn controlling(&self, task: ExpressId) -> Vec<ExpressId> {
        let (_, related) = self.relations().around(task, Some(Role::Other));
        let controls = related.into_iter().filter(|relation| self.is_a(*relation, "IfcRelAssignsToControl"));
        let controls = controls.filter_map(|relation| self.instance(relation)?.get("RelatingControl").as_ref());
        controls.filter(|control| self.is_a(*control, "IfcWorkSchedule")).collect()
    }

    fn controls(&self, class: &str) -> Vec<WorkControl> {
        let control = |(id, found): (ExpressId, Instance<'_>)| {
            let (relating, _) = self.relations().around(id, Some(Role::Other));
            let assigned = relating.into_iter().filter(|relation| self.is_a(*relation, "IfcRelAssignsToControl"));
            let assigned = assigned.filter_map(|relation| self.instance(relation));
            let tasks = assigned.flat_map(|relation| relation.get("RelatedObjects").references());
            WorkControl {
                express_id: id,
                global_id: found.text("GlobalId"),
                name: found.text("Name"),
                description: found.text("Description"),
                identification: mark(&found),
                predefined_type: found.get("PredefinedType").as_enum().map(str::to_owned),
                creation_date: self.moment(found.get("CreationDate")),
                start_time: self.moment(found.get("StartTime")),
                finish_time: self.moment(found.get("FinishTime")),
                members: tasks.chain(self.decomposes(id)).filter(|member| self.class_of(*member).is_some()).collect(),
            }
        };
        self.instances(class).map(control).collect()
    }

    /// A time as ISO text; IFC2X3 has records for it.
    fn moment(&self, value: &Arg) -> Option<String> {
        if let Some(text) = value.as_text() {
            return Some(text.to_owned());
        }
        let found = self.instance(value.as_ref()?)?;
        let (date, time) = match found.class.name.as_str() {
            "IfcDateAndTime" => (self.part(&found, "DateComponent")?, self.part(&found, "TimeComponent")),
            "IfcCalendarDate" => (found, None),
            _ => return None,
        };
        let number = |of: &Instance<'_>, name: &str| of.get(name).as_number().unwrap_or_default() as u32;
        let day = ["YearComponent", "MonthComponent", "DayComponent"].map(|name| number(&date, name));
        let parts = ["HourComponent", "MinuteComponent", "SecondComponent"];
        let clock = time.map_or([0; 3], |time| parts.map(|name| number(&time, name)));
        let [year, month, day] = day;
        let [hour, minute, second] = clock;
        Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"))
    }
}

/// `Identification`, or what IFC2X3 has for it; an empty text is none.
fn mark(found: &Instance<'_>) -> Option<String> {
    let names = ["Identification", "Identifier", "TaskId"];
    names.iter().find_map(|name| found.text(name)).filter(|mark| !mark.is_empty())
}
