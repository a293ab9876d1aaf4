//! Shows the page of a match in the browser.

use std::io::BufRead as _;
use std::process::{Command, Stdio};

/// Opens the page in the default browser. It does nothing if there is none: the caller prints the
/// address too.
pub(crate) fn open(page: &str) {
    let opener = ["xdg-open", "open"].into_iter().find_map(|program| {
        let mut command = Command::new(program);
        command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok()
    });
    if let Some(mut opener) = opener {
        // Wait for it, so that no zombie process is left.
        std::thread::spawn(move || opener.wait());
    }
}

/// Waits until Enter is pressed; without standard input, until the process is stopped.
pub(crate) async fn until_enter() {
    let (pressed, enter) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).is_ok_and(|read| read > 0) {
            // Fails only if the process is already ending.
            let _ending = pressed.send(());
        } else {
            // Dropping the sender would end the wait.
            std::mem::forget(pressed);
        }
    });
    let _pressed = enter.await;
}
