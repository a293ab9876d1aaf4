//! How to join: commands to paste into a terminal.

use maud::{Markup, html};

pub(super) fn section(server: &str) -> Markup {
    html! {
        section.join id="join" aria-labelledby="join-title" {
            h2 id="join-title" { "Join" }
            p { "Connect a first bot with one command. It plays one of the built-in strategies:" }
            pre { code {
                "azulejo bot greedy --register you/first-bot --server " (server)
            } }
            p { "Or register a bot of your own:" }
            pre { code {
                "curl -H 'content-type: application/json' \\\n"
                "  -d '{\"owner\":\"you\",\"name\":\"first-bot\"}' \\\n"
                "  " (server) "/azulejo.arena.v1.BotsService/RegisterBot"
            } }
            p.soft {
                "The answer has two tokens, shown only once: the bot's and its owner's. "
                "If the arena requires an invitation, add " code { "\"invitation\"" } " or "
                code { "--invitation" } "."
            }
        }
    }
}
