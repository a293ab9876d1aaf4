//! Parses a picture.

use roxmltree::{Document, Node};

/// The content of an element: class, then the values of its `data-` attributes in a fixed order.
const TOLD: [&str; 8] = [
    "data-color",
    "data-place",
    "data-index",
    "data-seat",
    "data-row",
    "data-column",
    "data-star",
    "data-space",
];

pub(crate) fn of_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| {
        node.attribute("class").is_some_and(|words| words.split(' ').any(|word| word == class))
    };
    document.descendants().filter(has).collect()
}

/// Each tile of a picture as a line such as `B wall 0 1 3`, sorted.
pub(crate) fn tiles(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    told(&of_class(&document, "tile"))
}

pub(crate) fn markers(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    told(&of_class(&document, "marker"))
}

fn told(nodes: &[Node]) -> Vec<String> {
    let line = |node: &Node| {
        let words: Vec<_> = TOLD.iter().filter_map(|&name| node.attribute(name)).collect();
        words.join(" ")
    };
    let mut lines: Vec<_> = nodes.iter().map(line).collect();
    lines.sort();
    lines
}

/// The position of an element.
pub(crate) fn translation(node: Node) -> (f64, f64) {
    let transform = node.attribute("transform").unwrap();
    let inside = transform.strip_prefix("translate(").unwrap().split(')').next().unwrap();
    let (x, y) = inside.split_once(' ').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}
