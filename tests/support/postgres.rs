use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use crate::process::free_address;

/// Stops the server when its standard input is closed: when this process ends, even by SIGKILL, neither
/// the server nor its folder remains.
const WATCHER: &str = r#"cat; "$1" stop -s -m immediate -D "$2/data"; rm -rf "$2""#;

/// Every local user may connect; the tests have no secrets.
const ALLOWED_CLIENTS: &str = "local all all peer\nhost all all 127.0.0.1/32 trust\n";

/// A `PostgreSQL` server for tests: in a new folder, on a free port of 127.0.0.1, and with fsync, as in
/// production.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    port: u16,
    watcher: Child,
    folder: TempDir,
}

impl Postgres {
    /// The server that all tests of a process share; it starts on first use.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Self::alone(""))
    }

    /// A server for one test, which may stop it, with these lines in its configuration.
    pub fn alone(settings: &str) -> Self {
        let programs = newest().expect("PostgreSQL is installed: tests/run installs it");
        let folder = TempDir::with_prefix("azulejo-postgres-").unwrap();
        if is_root() {
            output_of(Command::new("chown").arg("postgres").arg(folder.path()));
        }
        let data = folder.path().join("data");
        let initdb = &["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-D"];
        output_of(as_server(&programs.join("initdb")).args(initdb).arg(&data));
        let port = free_address().port();
        let configuration = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{}'\n\
            fsync = on\nshared_buffers = '32MB'\nmax_connections = 200\n{settings}\n",
            folder.path().display()
        );
        std::fs::write(data.join("postgresql.conf"), configuration).unwrap();
        std::fs::write(data.join("pg_hba.conf"), ALLOWED_CLIENTS).unwrap();
        let watcher = as_server(Path::new("sh"))
            .args(["-c", WATCHER, "watcher"])
            .arg(programs.join("pg_ctl"))
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Its own process group: Ctrl-C ends the tests, and the watcher cleans up after them.
            .process_group(0)
            .spawn()
            .unwrap();
        let server = Self { programs, port, watcher, folder };
        server.start();
        server
    }

    /// A server for one test, with TLS by this certificate and its key.
    pub fn with_certificate(certificate: &str, key: &str) -> Self {
        let server = Self::alone("");
        server.stop_immediately();
        let data = server.folder.path().join("data");
        std::fs::write(data.join("server.crt"), certificate).unwrap();
        // The server refuses a key that others may read, so the server's user writes it.
        let mut write_key = as_server(Path::new("sh"));
        write_key.args(["-c", r#"umask 077; printf %s "$1" > "$2/server.key""#, "write_key", key]);
        output_of(write_key.arg(&data));
        let configuration = data.join("postgresql.conf");
        let settings = std::fs::read_to_string(&configuration).unwrap();
        std::fs::write(configuration, format!("{settings}ssl = on\n")).unwrap();
        server.start();
        server
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database in it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// A new and empty database.
    pub fn fresh(&self) -> Database<'_> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("fresh_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name}"));
        Database { server: self, url: self.url(&name), name }
    }

    /// The result of a statement, as text.
    pub fn ask(&self, database: &str, statement: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement]);
        output_of(psql.arg(self.url(database)))
    }

    /// Stops as in a crash: connections break, and what is not on disk yet is lost.
    pub fn stop_immediately(&self) {
        output_of(self.control().args(["stop", "-m", "immediate"]));
    }

    /// Starts it again after a stop. It recovers first.
    pub fn start(&self) {
        let log = self.folder.path().join("log");
        let started = self.control().args(["start", "-w", "-t", "60", "-l"]).arg(&log).output();
        assert!(succeeded(&started), "{started:?} {:?}", std::fs::read_to_string(&log));
    }

    fn control(&self) -> Command {
        let mut control = as_server(&self.programs.join("pg_ctl"));
        control.arg("-s").arg("-D").arg(self.folder.path().join("data"));
        control
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        let _ = self.watcher.wait();
    }
}

/// A database. It is deleted with its server: dropping it would cost a checkpoint, and more time than
/// most tests.
#[derive(Debug)]
pub struct Database<'a> {
    server: &'a Postgres,
    name: String,
    pub url: String,
}

impl Database<'_> {
    /// The result of a statement, as text.
    pub fn ask(&self, statement: &str) -> String {
        self.server.ask(&self.name, statement)
    }

    /// Restores a dump in plain SQL.
    pub fn restore(&self, dump: &Path) {
        let mut psql = Command::new(self.server.programs.join("psql"));
        psql.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f"]).arg(dump);
        output_of(psql.arg(&self.url));
    }
}

/// The folder of the newest version's programs.
fn newest() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(Result::ok);
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let versions = versions.map(|version| version.path());
    let programs = versions.max_by_key(number)?.join("bin");
    programs.join("initdb").exists().then_some(programs)
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// A program run as the owner of the server, which refuses to run as root.
fn as_server(program: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/");
    command
}

fn succeeded(output: &io::Result<Output>) -> bool {
    output.as_ref().is_ok_and(|output| output.status.success())
}

#[track_caller]
fn output_of(command: &mut Command) -> String {
    let output = command.output();
    assert!(succeeded(&output), "{command:?}: {output:?}");
    String::from_utf8(output.unwrap().stdout).unwrap().trim().to_owned()
}
