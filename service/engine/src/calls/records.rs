//! Verifies records and draws positions.

use azulejo_draw::{Options, TextOptions, Theme};
use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, Problem};

use crate::{Defect, EngineError, Record, Table};

/// The longest record, in bytes: dozens of times the longest game.
const LONGEST_RECORD: usize = 256 * 1024;
const LONGEST_NAME: usize = 64;

pub fn replay(request: pb::ReplayRequest) -> Result<pb::ReplayResponse, EngineError> {
    let pb::ReplayRequest { record } = request;
    let (found, most) = (record.len(), LONGEST_RECORD);
    if found == 0 {
        return Err(BadField::missing("record").into());
    }
    if found > most {
        return Err(BadField::new("record", Problem::TooLong { found, most }).into());
    }
    let record =
        Record::read(&record).map_err(|bad| EngineError::BadRecord(quoted(&bad.to_string())))?;
    Ok(match record.verify() {
        Ok(last) => pb::ReplayResponse {
            defect: None,
            state: Some(last.state()),
            score: Some(last.score_message()),
            steps: (record.checks.len() / 4) as u32,
        },
        Err(defect) => {
            let found = pb::RecordDefect { step: step(&defect), message: defect.to_string() };
            pb::ReplayResponse { defect: Some(found), ..pb::ReplayResponse::default() }
        }
    })
}

/// Texts of the caller may be anything, of any length; control characters must not reach a terminal.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    let visible = text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    visible.take(LONGEST).collect()
}

/// The defective step; 0 if the defect is not in a step.
fn step(defect: &Defect) -> u32 {
    match defect {
        Defect::Step { step, .. } | Defect::Deal { step, .. } | Defect::Check { step, .. } => {
            *step as u32
        }
        Defect::Text(_)
        | Defect::Seed(_)
        | Defect::Seats { .. }
        | Defect::Start { .. }
        | Defect::End { .. }
        | Defect::Score { .. }
        | Defect::Winners { .. }
        | Defect::Checks { .. }
        | Defect::LastCheck
        | Defect::Arena(_) => 0,
    }
}

pub fn render(request: pb::RenderRequest) -> Result<pb::RenderResponse, EngineError> {
    use pb::render_request::Format;
    let pb::RenderRequest { state, format, names } = request;
    let table = Table::read(state)?;
    check_names(&names, table.players().seats())?;
    let (drawing, media_type) = match format {
        None => (svg(&table, &names, Theme::Auto), "image/svg+xml"),
        Some(Format::Svg(pb::RenderSvg { theme })) => {
            (svg(&table, &names, read_theme(theme)?), "image/svg+xml")
        }
        Some(Format::Text(pb::RenderText { color })) => {
            (table.text(&TextOptions { color, names }), "text/plain")
        }
    };
    Ok(pb::RenderResponse { drawing, media_type: media_type.to_owned() })
}

fn check_names(names: &[String], seats: usize) -> Result<(), BadField> {
    if !names.is_empty() && names.len() != seats {
        let problem = Problem::WrongCount { found: names.len(), expected: seats };
        return Err(BadField::new("names", problem));
    }
    for (index, name) in names.iter().enumerate() {
        let path = format!("names[{index}]");
        let (found, most) = (name.chars().count(), LONGEST_NAME);
        if found > most {
            return Err(BadField::new(&path, Problem::TooManyCharacters { found, most }));
        }
        if name.chars().any(char::is_control) {
            return Err(BadField::new(&path, Problem::ControlCharacter));
        }
    }
    Ok(())
}

fn read_theme(theme: i32) -> Result<Theme, BadField> {
    match pb::RenderTheme::try_from(theme) {
        Ok(pb::RenderTheme::Unspecified | pb::RenderTheme::Auto) => Ok(Theme::Auto),
        Ok(pb::RenderTheme::Light) => Ok(Theme::Light),
        Ok(pb::RenderTheme::Dark) => Ok(Theme::Dark),
        Err(_) => {
            let problem = Problem::NoSuchValue { found: theme, of: "RenderTheme" };
            Err(BadField::new("svg.theme", problem))
        }
    }
}

fn svg(table: &Table, names: &[String], theme: Theme) -> String {
    table.svg(&Options { theme, names: names.to_vec(), last: None })
}
