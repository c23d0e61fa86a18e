//! The allocator of the program, for tests too: clingo allocates much, and the system's takes a fifth of its time.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
