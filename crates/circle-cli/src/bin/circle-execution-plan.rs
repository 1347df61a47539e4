//! See [`circle_cli::circle_execution_plan`].

/// Graphs are made of many small lists, in which the system's allocator spends a quarter of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    circle_cli::circle_execution_plan::main(std::env::args_os())
}
