use std::io;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

/// Ends the server when nobody holds its standard input any more: however this process ends, even by
/// kill -9, neither a server remains nor its folder.
const WATCHER: &str = r#"cat; "$1" stop -s -m immediate -D "$2/data"; rm -rf "$2""#;

/// Whoever is on this computer; the tests have no secrets.
const WHO_MAY_ENTER: &str = "local all all peer\nhost all all 127.0.0.1/32 trust\n";

/// A server of `PostgreSQL` that belongs to the tests: with an empty folder of its own, on a free
/// port of 127.0.0.1, and as careful with the disk as a real one.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    port: u16,
    watcher: Child,
    folder: TempDir,
}

impl Postgres {
    /// The one server that all tests of a process may share; it starts when it is first asked for.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Self::alone(""))
    }

    /// A server for one test alone, which may stop it, with these lines in its configuration.
    pub fn alone(settings: &str) -> Self {
        let programs = newest().expect("PostgreSQL is installed: tests/run installs it");
        let folder = TempDir::with_prefix("azulejo-postgres-").unwrap();
        if is_root() {
            said(Command::new("chown").arg("postgres").arg(folder.path()));
        }
        let data = folder.path().join("data");
        let initdb = &["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-D"];
        said(as_server(&programs.join("initdb")).args(initdb).arg(&data));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let configuration = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{}'\n\
            fsync = on\nshared_buffers = '32MB'\nmax_connections = 200\n{settings}\n",
            folder.path().display()
        );
        std::fs::write(data.join("postgresql.conf"), configuration).unwrap();
        std::fs::write(data.join("pg_hba.conf"), WHO_MAY_ENTER).unwrap();
        let watcher = as_server(Path::new("sh"))
            .args(["-c", WATCHER, "watcher"])
            .arg(programs.join("pg_ctl"))
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C is for the tests; what it has to do comes after them.
            .process_group(0)
            .spawn()
            .unwrap();
        let server = Self { programs, port, watcher, folder };
        server.start();
        server
    }

    /// A server for one test alone, which speaks TLS with this certificate and its key.
    pub fn with_certificate(certificate: &str, key: &str) -> Self {
        let server = Self::alone("");
        server.stop_immediately();
        let data = server.folder.path().join("data");
        std::fs::write(data.join("server.crt"), certificate).unwrap();
        // The server takes no key that others may read, so this one is made by the server's user.
        let mut keep = as_server(Path::new("sh"));
        keep.args(["-c", r#"umask 077; printf %s "$1" > "$2/server.key""#, "keep", key]);
        said(keep.arg(&data));
        let configuration = data.join("postgresql.conf");
        let settings = std::fs::read_to_string(&configuration).unwrap();
        std::fs::write(configuration, format!("{settings}ssl = on\n")).unwrap();
        server.start();
        server
    }

    /// Where it listens.
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

    /// What a statement answers, as text.
    pub fn ask(&self, database: &str, statement: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement]);
        said(psql.arg(self.url(database)))
    }

    /// As a crash would: no goodbye to anybody, nothing written that was not written yet.
    pub fn stop_immediately(&self) {
        said(self.control().args(["stop", "-m", "immediate"]));
    }

    /// After it was stopped. It repairs itself first.
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

/// A database. It goes with its server: to drop it would cost a checkpoint, and more time than most
/// tests.
#[derive(Debug)]
pub struct Database<'a> {
    server: &'a Postgres,
    name: String,
    pub url: String,
}

impl Database<'_> {
    /// What a statement answers, as text.
    pub fn ask(&self, statement: &str) -> String {
        self.server.ask(&self.name, statement)
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

/// A program as the user who owns the server, which refuses to belong to root.
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
fn said(command: &mut Command) -> String {
    let output = command.output();
    assert!(succeeded(&output), "{command:?}: {output:?}");
    String::from_utf8(output.unwrap().stdout).unwrap().trim().to_owned()
}
