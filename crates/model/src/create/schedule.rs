//! Tasks, work schedules and work plans, and what relates them.

use ifc_lite_core::SchemaVersion;
use serde_json::{Value, json};

use super::{CreateRefused, Creation, Object, Params, elements::rooted, number};
use crate::codes::{NO_TIMES, NUMBERS, TIME};
use crate::step::Arg;

/// A method that relates objects, with its relationship: class, relating side, related side.
const RELATIONS: &[(&str, &str, &str)] = &[
    ("addIfcRelAssignsToControl", "IfcRelAssignsToControl", "RelatingControl"),
    ("assignTasksToWorkSchedule", "IfcRelAssignsToControl", "RelatingControl"),
    ("addIfcRelAssignsToProcess", "IfcRelAssignsToProcess", "RelatingProcess"),
    ("assignProductsToTask", "IfcRelAssignsToProcess", "RelatingProcess"),
    ("addIfcRelNests", "IfcRelNests", "RelatingObject"),
    ("nestTasks", "IfcRelNests", "RelatingObject"),
    ("assignSchedulesToWorkPlan", "IfcRelAggregates", "RelatingObject"),
];
const CONTROLS: &[&str] = &["IfcWorkSchedule", "IfcWorkPlan"];
const OBJECTS: [&str; 3] = ["addIfcTask", "addIfcWorkSchedule", "addIfcWorkPlan"];

pub(super) fn is_method(method: &str) -> bool {
    OBJECTS.contains(&method) || method == "addIfcRelSequence" || RELATIONS.iter().any(|(known, ..)| *known == method)
}

/// `2026-01-31`, with `T08:00` or `T08:00:00` behind it: year, month, day, hour, minute, second.
fn moment(text: &str) -> Option<[u32; 6]> {
    let (date, time) = text.trim_end_matches('Z').split_once('T').unwrap_or((text, "00:00:00"));
    let time = time.split('.').next().unwrap_or_default();
    let part = |text: &str, sign: char| -> Option<Vec<u32>> {
        text.split(sign).map(|digits| digits.parse().ok().filter(|_| digits.len() <= 4)).collect()
    };
    let (date, mut time) = (part(date, '-')?, part(time, ':')?);
    if !(2..=3).contains(&time.len()) {
        return None;
    }
    time.resize(3, 0);
    let moment: [u32; 6] = [date, time].concat().try_into().ok()?;
    let [_, month, day, hour, minute, second] = moment;
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    fits.then_some(moment)
}

fn iso([year, month, day, hour, minute, second]: [u32; 6]) -> String {
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

fn time(params: Params<'_>, name: &str) -> Result<Option<[u32; 6]>, CreateRefused> {
    let text = params.text(name)?;
    text.map(|text| moment(text).ok_or_else(|| CreateRefused::member(name, &TIME))).transpose()
}

impl Creation {
    pub(super) fn schedule(
        &mut self,
        method: &str,
        given: &[Value],
        requires: Option<&str>,
    ) -> Result<Value, CreateRefused> {
        let nothing = Value::Null;
        let argument = |index: usize| given.get(index).unwrap_or(&nothing);
        match method {
            "addIfcTask" => self.task(Params::read(argument(0), requires)?),
            "addIfcWorkSchedule" => self.control("IfcWorkSchedule", Params::read(argument(0), requires)?),
            "addIfcWorkPlan" => self.control("IfcWorkPlan", Params::read(argument(0), requires)?),
            "addIfcRelSequence" => {
                let (before, after) = (number(argument(0)), number(argument(1)));
                self.sequence(before, after, Params::read(argument(2), requires)?)
            }
            _ => self.relate(method, number(argument(0)), argument(1)),
        }
    }

    fn old(&self) -> bool {
        self.draft.writer.schema() == SchemaVersion::Ifc2x3
    }

    fn task(&mut self, params: Params<'_>) -> Result<Value, CreateRefused> {
        let mut given = rooted(params, "Task")?;
        params.required_text("Name")?;
        let times =
            [("ScheduleStart", time(params, "ScheduleStart")?), ("ScheduleFinish", time(params, "ScheduleFinish")?)];
        let times: Vec<_> = times.into_iter().filter_map(|(name, time)| Some((name, time?))).collect();
        if let (true, Some((name, _))) = (self.old(), times.first()) {
            return Err(CreateRefused::member(name, &NO_TIMES));
        }
        let mark = params.text("Identification")?.unwrap_or_default();
        if self.old() {
            given.attributes.push(("TaskId", Arg::text(mark)));
        } else if !mark.is_empty() {
            given.attributes.push(("Identification", Arg::text(mark)));
        }
        let milestone = params.get("IsMilestone").and_then(Value::as_bool).unwrap_or_default();
        given.attributes.push(("IsMilestone", Arg::item(if milestone { "T" } else { "F" })));
        if !times.is_empty() {
            let times: Vec<_> = times.into_iter().map(|(name, moment)| (name, Arg::Text(iso(moment)))).collect();
            let id = self.draft.writer.add("IfcTaskTime", &times);
            given.attributes.push(("TaskTime", Arg::Ref(id)));
        }
        Ok(self.object("IfcTask", given.name, &given.attributes))
    }

    /// A schedule or plan: when it was made is when it starts, unless it says so.
    fn control(&mut self, class: &str, params: Params<'_>) -> Result<Value, CreateRefused> {
        let mut given = rooted(params, class.strip_prefix("Ifc").unwrap_or(class))?;
        params.required_text("Name")?;
        let start = time(params, "StartTime")?.ok_or_else(|| CreateRefused::member("StartTime", &TIME))?;
        let made = time(params, "CreationDate")?.unwrap_or(start);
        let finish = time(params, "FinishTime")?;
        let mark = params.text("Identification")?.unwrap_or_default();
        given.attributes.push(("Identifier", Arg::text(mark)));
        given.attributes.extend((!mark.is_empty()).then(|| ("Identification", Arg::text(mark))));
        let times = [("CreationDate", Some(made)), ("StartTime", Some(start)), ("FinishTime", finish)];
        for (name, moment) in times {
            let Some(moment) = moment else { continue };
            let value = if self.old() { Arg::Ref(self.calendar(moment)) } else { Arg::Text(iso(moment)) };
            given.attributes.push((name, value));
        }
        Ok(self.object(class, given.name, &given.attributes))
    }

    /// IFC2X3 has a date and a time of day as records.
    fn calendar(&mut self, [year, month, day, hour, minute, second]: [u32; 6]) -> u32 {
        let whole = |number: u32| Arg::Integer(i64::from(number));
        let date = [("DayComponent", whole(day)), ("MonthComponent", whole(month)), ("YearComponent", whole(year))];
        let date = self.draft.writer.add("IfcCalendarDate", &date);
        let time = [
            ("HourComponent", whole(hour)),
            ("MinuteComponent", whole(minute)),
            ("SecondComponent", Arg::Real(f64::from(second))),
        ];
        let time = self.draft.writer.add("IfcLocalTime", &time);
        self.draft.writer.add("IfcDateAndTime", &[("DateComponent", Arg::Ref(date)), ("TimeComponent", Arg::Ref(time))])
    }

    fn object(&mut self, class: &str, name: Option<String>, attributes: &[(&str, Arg)]) -> Value {
        let id = self.draft.writer.add(class, attributes);
        let class = class.to_owned();
        self.objects.insert(id, Object { class, name, body: None, wall: None, element: false });
        json!(id)
    }

    fn task_of(&self, id: f64) -> Result<u32, CreateRefused> {
        self.find(id, super::Sort::Object, |object| object.class == "IfcTask")
    }

    fn sequence(&mut self, before: f64, after: f64, params: Params<'_>) -> Result<Value, CreateRefused> {
        let (before, after) = (self.task_of(before)?, self.task_of(after)?);
        let kind = params.item("SequenceType")?.unwrap_or_else(|| "FINISH_START".to_owned());
        let mut sides = vec![
            ("RelatingProcess", Arg::Ref(before)),
            ("RelatedProcess", Arg::Ref(after)),
            ("SequenceType", Arg::item(&kind)),
        ];
        sides.extend(self.old().then_some(("TimeLag", Arg::Real(0.0))));
        Ok(json!(self.draft.writer.add("IfcRelSequence", &sides)))
    }

    fn relate(&mut self, method: &str, relating: f64, related: &Value) -> Result<Value, CreateRefused> {
        let row = RELATIONS.iter().find(|(known, ..)| *known == method);
        let (_, class, side) = row.ok_or(CreateRefused::NotFound(super::Sort::Method, 0.0))?;
        let of = |classes: &'static [&'static str]| move |object: &Object| classes.contains(&object.class.as_str());
        let relating = match *side {
            "RelatingControl" => self.find(relating, super::Sort::Object, of(CONTROLS))?,
            "RelatingProcess" => self.task_of(relating)?,
            _ => self.known(relating)?,
        };
        let refused = || CreateRefused::argument("relatedIds", &NUMBERS, &[]);
        let list = related.as_array().filter(|list| !list.is_empty()).ok_or_else(refused)?;
        let mut ids = Vec::with_capacity(list.len());
        for id in list {
            let id = self.known(id.as_f64().ok_or_else(refused)?)?;
            if id == relating || ids.contains(&id) {
                return Err(refused());
            }
            ids.push(id);
        }
        let sides = [(*side, Arg::Ref(relating)), ("RelatedObjects", Arg::refs(ids))];
        Ok(json!(self.draft.writer.add(class, &sides)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(moment("2026-02-03T04:05:06Z").map(iso).as_deref(), Some("2026-02-03T04:05:06"));
        assert_eq!(moment("2026-02-03T04:05").map(iso).as_deref(), Some("2026-02-03T04:05:00"));
        assert_eq!(moment("2026-02-03").map(iso).as_deref(), Some("2026-02-03T00:00:00"));
        for wrong in
            ["", "tomorrow", "2026-13-01", "2026-02-03T24:00:00", "20260203", "99999-01-01", "2026-02-03T1:2:3:4"]
        {
            assert_eq!(moment(wrong), None, "{wrong}");
        }
    }
}
