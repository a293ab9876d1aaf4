//! A strict HTML parser: every tag is closed, every attribute quoted, every special character escaped.

use std::collections::BTreeSet;

/// Elements that have no end.
const VOID: [&str; 7] = ["meta", "link", "img", "br", "hr", "wbr", "input"];

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// Where its links and pictures lead, in order.
    pub(crate) links: Vec<String>,
    pub(crate) ids: BTreeSet<String>,
    pub(crate) tags: BTreeSet<String>,
}

impl Document {
    pub(crate) fn read(html: &str) -> Result<Self, String> {
        let mut rest = html.strip_prefix("<!DOCTYPE html>").ok_or("there is no doctype")?;
        let (mut document, mut open) = (Self::default(), Vec::<String>::new());
        while let Some((text, after)) = rest.split_once('<') {
            check_text(text)?;
            let end = tag_end(after).ok_or_else(|| format!("a tag without end: {after:.60}"))?;
            let (tag, left) = (&after[..end], &after[end + 1..]);
            rest = left;
            if let Some(name) = tag.strip_prefix('/') {
                let expected = open.pop();
                if expected.as_deref() != Some(name) {
                    return Err(format!("</{name}> closes {expected:?}"));
                }
                continue;
            }
            let name = document.take(tag)?;
            if name == "style" {
                let (_css, after) = rest.split_once("</style>").ok_or("style without end")?;
                rest = after;
            } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
                open.push(name);
            }
        }
        check_text(rest)?;
        if open.is_empty() { Ok(document) } else { Err(format!("never closed: {open:?}")) }
    }

    /// Takes in a start tag, and gives its name.
    fn take(&mut self, tag: &str) -> Result<String, String> {
        let tag = tag.trim_end_matches('/').trim_end();
        let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(format!("no name of a tag: {name:?}"));
        }
        self.tags.insert(name.to_owned());
        while !rest.trim_start().is_empty() {
            rest = rest.trim_start();
            let length = rest.find(|sign: char| sign == '=' || sign.is_whitespace());
            let (key, after) = rest.split_at(length.unwrap_or(rest.len()));
            let Some(quoted) = after.strip_prefix('=') else {
                rest = after;
                continue;
            };
            let quoted = quoted.strip_prefix('"').ok_or_else(|| format!("not quoted: {tag}"))?;
            let (value, after) = quoted.split_once('"').ok_or_else(|| format!("no end: {tag}"))?;
            self.note(key, value)?;
            rest = after;
        }
        Ok(name.to_owned())
    }

    fn note(&mut self, key: &str, value: &str) -> Result<(), String> {
        check_text(value)?;
        if key.starts_with("on") || key == "style" {
            return Err(format!("{key}= is against the policy"));
        }
        if key == "id" && !self.ids.insert(value.to_owned()) {
            return Err(format!("the id {value} is there twice"));
        }
        if key == "href" || key == "src" {
            self.links.push(value.replace("&amp;", "&"));
        }
        Ok(())
    }
}

/// The end of a tag: the first `>` that is not in quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.find(|sign| {
        quoted ^= sign == '"';
        sign == '>' && !quoted
    })
}

fn check_text(text: &str) -> Result<(), String> {
    if text.contains(['<', '>']) {
        return Err(format!("not escaped: {text}"));
    }
    for (index, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        if !known.iter().any(|entity| text[index..].starts_with(entity)) {
            return Err(format!("a bare &: {text}"));
        }
    }
    Ok(())
}

#[test]
fn a_document_that_is_not_well_formed_is_refused() {
    let refused = |body: &str| Document::read(&format!("<!DOCTYPE html><p>{body}</p>")).is_err();
    assert!(!refused("a <b id=\"x\">&amp;</b><br><i hidden>…</i>"));
    assert!(refused("<b>"), "never closed");
    assert!(refused("<b></i></b>"), "closed by another");
    assert!(refused("a & b") && refused("a > b"), "not escaped");
    assert!(refused("<b id=x></b>"), "not quoted");
    assert!(refused("<b id=\"x\"></b><b id=\"x\"></b>"), "an id twice");
    assert!(refused("<b onclick=\"x\"></b>"), "a script");
}
