//! A new migration is a reason to build again, which `sqlx::migrate!` alone does not notice.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
