//! How to join: the exact words for a terminal.

use maud::{Markup, html};

pub(super) fn section(server: &str) -> Markup {
    html! {
        section.join id="join" aria-labelledby="join-title" {
            h2 id="join-title" { "Join" }
            p { "One command brings a first bot to the ladder, here one of the house's own:" }
            pre { code {
                "azulejo bot greedy --register you/first-bot --server " (server)
            } }
            p { "Or register by hand, and play with what you wrote yourself:" }
            pre { code {
                "curl -H 'content-type: application/json' \\\n"
                "  -d '{\"owner\":\"you\",\"name\":\"first-bot\"}' \\\n"
                "  " (server) "/azulejo.arena.v1.BotsService/RegisterBot"
            } }
            p.soft {
                "The answer holds two tokens, shown once: the bot's and its owner's. "
                "Where an arena asks for an invitation, add " code { "\"invitation\"" } " or "
                code { "--invitation" } "."
            }
        }
    }
}
