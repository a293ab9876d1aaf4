//! The proof that the deals were not chosen: the commitment at the start, the rest after the end.

use azulejo_engine::fairness;
use maud::{Markup, html};

use super::Shown;

pub(super) fn section(shown: &Shown) -> Markup {
    let spec = &shown.saved.spec;
    let id = spec.id.as_str();
    let commitment = fairness::commitment(id, shown.run.secret());
    let over = shown.saved.ended.is_some();
    html! {
        section.proof aria-labelledby="proof-title" {
            h2 id="proof-title" { "Fair deals" }
            p {
                "Before the first deal the arena chose a secret and published its hash, the "
                "commitment. The secret and the nonces together are the seed of every deal."
            }
            dl {
                dt { "Match" } dd { code { (id) } }
                dt { "Commitment" } dd { code { (commitment) } }
                @if over {
                    dt { "Secret" } dd { code { (shown.run.secret()) } }
                    @for (name, nonce) in shown.names.iter().zip(shown.run.nonces()) {
                        dt { "Nonce of " (name) }
                        dd { @match nonce {
                            Some(nonce) => code { (nonce) },
                            None => span.soft { "none" },
                        } }
                    }
                }
            }
            @if over { (check(shown, id)) } @else {
                p.soft { "The secret is published when the match ends." }
            }
        }
    }
}

fn check(shown: &Shown, id: &str) -> Markup {
    html! {
        p { "To verify the commitment, hash the secret. This must print the commitment:" }
        pre { code {
            "(printf azulejo-commit-v1" (id) "; echo " (shown.run.secret()) " | xxd -r -p) | sha256sum"
        } }
        @if shown.run.table().is_some() {
            p {
                a href=(format!("/match/{id}/record")) download { "Download the record" }
                " and check every deal, every move and the score with " code { "azulejo verify " (id) ".json" }
                "."
            }
        }
    }
}
