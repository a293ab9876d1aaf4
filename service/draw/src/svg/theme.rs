//! Light and dark colors.
//!
//! Every rule begins with the classes of the document's own root: a page may contain several
//! pictures in different themes, and a `style` in one applies to all of them. CSS variables are not
//! used, as not every SVG renderer supports them.

use crate::Theme;

struct Palette {
    paper: &'static str,
    panel: &'static str,
    /// Factory displays and the pool.
    plate: &'static str,
    /// An empty space.
    cell: &'static str,
    line: &'static str,
    ink: &'static str,
    soft: &'static str,
    /// The seat to move, and the last move. No tile has this color.
    accent: &'static str,
    loss: &'static str,
    /// Opacity of the colors printed on the wall, with their patterns.
    print: &'static str,
    /// The same for the stars, which have no patterns.
    tint: &'static str,
}

const LIGHT: Palette = Palette {
    paper: "#efe9dc",
    panel: "#fffdf7",
    plate: "#e2d9c6",
    cell: "#ece4d2",
    line: "#b9ad96",
    ink: "#29251f",
    soft: "#665d4e",
    accent: "#d6006c",
    loss: "#a8231a",
    print: ".3",
    tint: ".3",
};

const DARK: Palette = Palette {
    paper: "#14161a",
    panel: "#20242b",
    plate: "#2c313a",
    cell: "#2a2f38",
    line: "#566070",
    ink: "#f3efe6",
    soft: "#b4b0a6",
    accent: "#ff6fb5",
    loss: "#ff9a8d",
    print: ".26",
    tint: ".34",
};

/// Rules that do not depend on the theme.
const SHAPE: &str = "\
.azulejo text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Arial,sans-serif}\
.azulejo .head{font-size:21px;font-weight:700}\
.azulejo .note{font-size:18px}\
.azulejo .name{font-size:21px;font-weight:600}\
.azulejo .score{font-size:28px;font-weight:800}\
.azulejo .tag{font-size:15px}\
.azulejo .cost{font-size:20px;font-weight:600}\
.azulejo .penalty{font-size:17px}\
.azulejo .last{fill:none;stroke-width:4}\
.azulejo .plate,.azulejo .pool,.azulejo .cell,.azulejo .space{stroke-width:1.2}";

pub(super) const fn class(theme: Theme) -> &'static str {
    match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Auto => "auto",
    }
}

pub(super) fn style(theme: Theme) -> String {
    let root = class(theme);
    match theme {
        Theme::Light => format!("{SHAPE}{}", colors(root, &LIGHT)),
        Theme::Dark => format!("{SHAPE}{}", colors(root, &DARK)),
        Theme::Auto => format!(
            "{SHAPE}{}@media (prefers-color-scheme:dark){{{}}}",
            colors(root, &LIGHT),
            colors(root, &DARK)
        ),
    }
}

fn colors(root: &str, palette: &Palette) -> String {
    let Palette { paper, panel, plate, cell, line, ink, soft, accent, loss, print, tint } = palette;
    [
        ("paper", format!("fill:{paper}")),
        ("panel", format!("fill:{panel};stroke:{line};stroke-width:1.2")),
        ("turn", format!("stroke:{accent};stroke-width:4")),
        ("plate", format!("fill:{plate};stroke:{line}")),
        ("pool", format!("fill:{panel};stroke:{line};stroke-dasharray:5 4")),
        ("cell", format!("fill:{cell};stroke:{line}")),
        ("space", format!("stroke:{line}")),
        ("bare", format!("fill:{cell}")),
        ("print", format!("opacity:{print}")),
        ("tint", format!("fill-opacity:{tint}")),
        ("ink", format!("fill:{ink}")),
        ("soft", format!("fill:{soft}")),
        ("accent", format!("fill:{accent}")),
        ("loss", format!("fill:{loss}")),
        ("last", format!("stroke:{accent}")),
        ("arrow", format!("fill:{line}")),
        ("feature", format!("fill:{panel};stroke:{soft};stroke-width:1.6")),
        ("done", format!("fill:{accent};stroke:{accent}")),
    ]
    .map(|(class, rule)| format!(".azulejo.{root} .{class}{{{rule}}}"))
    .concat()
}
