//! See [`circle_cli::circle_profile_dump`].

fn main() -> std::process::ExitCode {
    circle_cli::circle_profile_dump::main(std::env::args_os())
}
