//! NOTATION.md as tables and examples. An example is a code block whose first line names its language
//! and its kind, as in `text position`.

use std::path::Path;

/// The document, heading by heading.
pub(crate) struct Document {
    sections: Vec<Section>,
}

#[derive(Default)]
pub(crate) struct Section {
    /// The headings that it is under, without the title of the document: `Moves`, `Azul`.
    path: Vec<String>,
    tables: Vec<Table>,
    blocks: Vec<Block>,
}

#[derive(Default)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

pub(crate) struct Block {
    /// What it is an example of.
    pub(crate) kind: String,
    pub(crate) lines: Vec<String>,
}

/// The text of NOTATION.md.
pub(crate) fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/rules/NOTATION.md");
    std::fs::read_to_string(path).unwrap()
}

impl Document {
    pub(crate) fn open() -> Self {
        Self::read(&text())
    }

    pub(crate) fn read(text: &str) -> Self {
        let mut sections = vec![Section::default()];
        let mut open: Option<Block> = None;
        let mut in_table = false;
        for line in text.lines() {
            let section = sections.last_mut().unwrap();
            if let Some(mut block) = open.take() {
                if line == "```" {
                    section.blocks.push(block);
                } else {
                    block.lines.push(line.to_owned());
                    open = Some(block);
                }
            } else if let Some(mark) = line.strip_prefix("```") {
                let kind = mark.split_once(' ').map_or("", |(_language, kind)| kind);
                open = Some(Block { kind: kind.to_owned(), lines: Vec::new() });
            } else if let Some(heading) = line.strip_prefix("##") {
                let level = heading.chars().take_while(|&letter| letter == '#').count();
                let mut path = section.path.clone();
                path.truncate(level);
                path.push(heading.trim_start_matches('#').trim().to_owned());
                sections.push(Section { path, ..Section::default() });
            } else if line.starts_with('|') {
                section.read_row(line, in_table);
                in_table = true;
                continue;
            }
            in_table = false;
        }
        assert!(open.is_none(), "a block has no end");
        Self { sections }
    }

    /// The section under these headings: `Moves / Azul`.
    pub(crate) fn section(&self, path: &str) -> &Section {
        let found = self.sections.iter().find(|section| section.path.join(" / ") == path);
        found.unwrap_or_else(|| panic!("NOTATION.md has no section {path}"))
    }

    /// All blocks under a heading, those of its subsections included.
    pub(crate) fn blocks(&self, heading: &str) -> impl Iterator<Item = &Block> {
        let under = move |section: &&Section| section.path.first().is_some_and(|at| at == heading);
        self.sections.iter().filter(under).flat_map(|section| &section.blocks)
    }
}

impl Section {
    fn read_row(&mut self, line: &str, in_table: bool) {
        let inner = line.trim_matches('|');
        let cells: Vec<String> = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
        if !in_table {
            self.tables.push(Table { header: cells, rows: Vec::new() });
        } else if !cells.iter().all(|cell| cell.bytes().all(|byte| byte == b'-')) {
            self.tables.last_mut().unwrap().rows.push(cells);
        }
    }

    /// The tables whose header begins with these cells.
    pub(crate) fn tables(&self, header: &[&str]) -> impl Iterator<Item = &Table> {
        self.tables
            .iter()
            .filter(move |table| table.header.iter().zip(header).all(|(is, it)| is == it))
    }

    /// The first of them.
    pub(crate) fn table(&self, header: &[&str]) -> &Table {
        let found = self.tables(header).next();
        found.unwrap_or_else(|| panic!("{:?} has no table {header:?}", self.path))
    }

    pub(crate) fn blocks_of(&self, kind: &str) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }
}

impl Block {
    /// Its only line.
    pub(crate) fn line(&self) -> &str {
        let [line] = self.lines.as_slice() else { panic!("one line: {:?}", self.lines) };
        line
    }
}

impl Table {
    /// The cell of a column in a row.
    pub(crate) fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let index = self.header.iter().position(|name| name == column);
        &row[index.unwrap_or_else(|| panic!("no column {column} in {:?}", self.header))]
    }
}

/// The code spans of a cell.
pub(crate) fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}
