//! See [`circle_cli::circle2circle`].

fn main() -> std::process::ExitCode {
    circle_cli::circle2circle::main(std::env::args_os())
}
