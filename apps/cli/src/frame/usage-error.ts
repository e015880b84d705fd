/** Wrong use of the command line: exit code 2 (exchange 3). */
export class UsageError extends Error {}
