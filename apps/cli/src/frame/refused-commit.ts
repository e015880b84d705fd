/** The exit code by which a hook of git knows that the board refuses a commit; a fault of ours has another one (harness 5.8). */
export const refusedCommit = 42
