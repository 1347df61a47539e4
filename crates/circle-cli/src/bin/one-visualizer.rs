//! See [`circle_cli::one_visualizer`].

fn main() -> std::process::ExitCode {
    circle_cli::one_visualizer::main(std::env::args_os())
}
