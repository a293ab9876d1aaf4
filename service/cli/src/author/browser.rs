//! The page of a match, shown to a person.

use std::io::BufRead as _;
use std::process::{Command, Stdio};

/// Opens the browser if there is one that can be asked; the address was told in any case.
pub(crate) fn open(page: &str) {
    let asked = ["xdg-open", "open"].into_iter().find_map(|opener| {
        let mut command = Command::new(opener);
        command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok()
    });
    if let Some(mut asked) = asked {
        // It ends by itself; somebody has to notice.
        std::thread::spawn(move || asked.wait());
    }
}

/// Until a person presses Enter. Where nobody can, until the process is told to stop.
pub(crate) async fn until_enter() {
    let (pressed, enter) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).is_ok_and(|read| read > 0) {
            // Nobody waits any more: the process ends.
            let _gone = pressed.send(());
        } else {
            std::mem::forget(pressed);
        }
    });
    let _pressed = enter.await;
}
