//! See [`circle_cli::circle_profile`].

fn main() -> std::process::ExitCode {
    circle_cli::circle_profile::main(std::env::args_os())
}
