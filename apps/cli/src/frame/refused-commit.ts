/**
 * The exit code that tells a Git hook that the board refuses a commit; a failure of this program has a different one
 * (harness 5.8).
 */
export const refusedCommit = 42
