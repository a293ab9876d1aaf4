//! The SVG writer: the only file that knows the syntax of SVG.

use std::fmt::{self, Write};

use crate::Theme;

use super::theme;

/// A point, or the vector from one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Point {
    pub(super) const fn at(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(super) fn moved(self, x: f64, y: f64) -> Self {
        Self::at(self.x + x, self.y + y)
    }

    /// The vector with this length and direction: degrees, clockwise from the north.
    pub(super) fn toward(self, degrees: f64, distance: f64) -> Self {
        let angle = degrees.to_radians();
        self.moved(angle.sin() * distance, -angle.cos() * distance)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) corner: Point,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn around(center: Point, width: f64, height: f64) -> Self {
        Self { corner: center.moved(-width / 2.0, -height / 2.0), width, height }
    }
}

/// The alignment of a text at its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A reference to a shape of the `defs`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) at: Point,
    pub(super) scale: f64,
    /// Degrees, clockwise.
    pub(super) turn: f64,
}

/// A coordinate, rounded to a tenth of a unit, which is finer than any screen.
#[derive(Clone, Copy)]
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, scale, turn } = *self;
        write!(f, "translate({} {})", Short(at.x), Short(at.y))?;
        if turn != 0.0 {
            write!(f, " rotate({})", Short(turn))?;
        }
        write!(f, " scale({scale})")
    }
}

#[derive(Debug)]
pub(super) struct Paper {
    svg: String,
}

impl Paper {
    /// An empty document with its title and description for screen readers.
    pub(super) fn new(size: Point, theme: Theme, title: &str, description: &str) -> Self {
        let mut paper = Self { svg: String::with_capacity(32 * 1024) };
        let (width, height) = (Short(size.x), Short(size.y));
        paper.write(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             class=\"azulejo {}\" role=\"img\" aria-label=\"{}\">\n<title>{}</title>\n\
             <desc>{}</desc>\n<style>{}</style>\n",
            theme::class(theme),
            Escaped(title),
            Escaped(title),
            Escaped(description),
            theme::style(theme),
        ));
        let sheet = Area { corner: Point::at(0.0, 0.0), width: size.x, height: size.y };
        paper.rect("paper", sheet, 0.0);
        paper
    }

    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    pub(super) fn write(&mut self, words: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(words);
    }

    pub(super) fn rect(&mut self, class: &str, area: Area, round: f64) {
        let Area { corner, width, height } = area;
        self.write(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n",
            Short(corner.x),
            Short(corner.y),
            Short(width),
            Short(height),
            Short(round),
        ));
    }

    pub(super) fn circle(&mut self, class: &str, center: Point, radius: f64) {
        self.write(format_args!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n",
            Short(center.x),
            Short(center.y),
            Short(radius),
        ));
    }

    /// A path around the point 0, 0, moved to a spot; `extra` are further attributes.
    pub(super) fn shape(&mut self, class: &str, path: &str, spot: Spot, extra: fmt::Arguments<'_>) {
        self.write(format_args!(
            "<path class=\"{class}\" d=\"{path}\" transform=\"{spot}\" {extra}/>\n"
        ));
    }

    /// A shape of the `defs` by its id.
    pub(super) fn stamp(&mut self, class: &str, id: &str, spot: Spot, extra: fmt::Arguments<'_>) {
        self.write(format_args!(
            "<use class=\"{class}\" href=\"#{id}\" transform=\"{spot}\" {extra}/>\n"
        ));
    }

    pub(super) fn words(&mut self, class: &str, at: Point, anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (Short(at.x), Short(at.y));
        let words = Escaped(words);
        self.write(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}>{words}</text>\n"
        ));
    }
}

/// A text escaped for XML, in an element or in an attribute.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
