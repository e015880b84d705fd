import type { Command } from 'commander'

/** Adds the flags that say which service a verb talks to, and as whom (harness 1). */
export const withTarget = (command: Command): Command =>
  command
    .option('--url <address>', 'the running service [SPECBOARD_URL]')
    .option('--profile <name>', 'profile of the saved key; else default [SPECBOARD_PROFILE]')
    .option('--key <key>', 'discouraged: process lists show it [SPECBOARD_API_KEY]')
