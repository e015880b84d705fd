/** The hook table in the form of each client (harness 2, 3.1). */
import { type HookClient, hookTable, type Trigger } from './hook-table.ts'

/** A trigger with the event that it reports. */
type NamedTrigger = Trigger & { readonly event: string }

/** Each client's own events, with what they start, in the order of the table. */
function byOwnEvent<Shown>(client: HookClient, show: (trigger: NamedTrigger) => Shown): Record<string, Shown[]> {
  const all = Object.entries(hookTable[client]).flatMap(([event, triggers]) =>
    triggers.map(trigger => ({ event, ...trigger })),
  )
  return Object.fromEntries([...Map.groupBy(all, ({ on }) => on)].map(([on, triggers]) => [on, triggers.map(show)]))
}

/** How long a client waits for a hook, s; hooks end long before that. */
const patience = 5

/** What is printed if node is missing: clients that expect JSON get an empty object. */
const without = (client: HookClient): string =>
  client === 'gemini' || client === 'cursor' ? "{ echo '{}'; exit 0; }" : 'exit 0'

/**
 * How a client names the hook program: as arguments without a shell, as a shell command with its path, or as the
 * installed command.
 */
export type Program =
  | { readonly args: readonly string[] }
  | { readonly path: string; readonly windows?: string }
  | 'installed'

/** A shell line that succeeds even if the program is missing. */
function line(client: HookClient, program: Program, event: string): string {
  const words = program === 'installed' ? 'specboard hook' : `node "${pathOf(program)}"`
  const needs = program === 'installed' ? 'specboard' : 'node'
  return `command -v ${needs} >/dev/null 2>&1 || ${without(client)}; ${words} ${event} --client ${client}`
}

/** Hooks in the form of Claude Code, which starts a program without a shell, or of clients that adopted this form. */
const likeClaude = (client: HookClient, program: Program, seconds: number) => ({
  hooks: byOwnEvent(client, ({ event, tools, async }) => ({
    ...(tools !== undefined && { matcher: tools }),
    hooks: [
      {
        type: 'command',
        ...(typeof program === 'object' && 'args' in program
          ? { command: program.args[0], args: [...program.args.slice(1), event, '--client', client] }
          : { command: line(client, program, event) }),
        timeout: seconds,
        ...(async && { async }),
      },
    ],
  })),
})

/** The hooks of a client, as the file that it reads. */
export function hooksFor(client: HookClient, program: Program): object {
  switch (client) {
    case 'claude-code':
      return {
        description: 'Tells Specboard what a session does, and the session what concerns it.',
        ...likeClaude(client, program, patience),
      }
    case 'codex':
      return likeClaude(client, program, patience)
    case 'gemini':
      // Its clock is in milliseconds.
      return likeClaude(client, program, patience * 1_000)
    case 'cursor':
      return {
        version: 1,
        hooks: byOwnEvent(client, ({ event, tools }) => ({
          command: line(client, program, event),
          ...(tools !== undefined && { matcher: tools }),
          timeout: patience,
        })),
      }
    case 'copilot':
      return {
        version: 1,
        hooks: byOwnEvent(client, ({ event }) => ({
          type: 'command',
          bash: line(client, program, event),
          powershell: powershell(client, program, event),
          timeoutSec: patience,
        })),
      }
  }
}

const pathOf = (program: Exclude<Program, 'installed'>): string =>
  'path' in program ? program.path : program.args.join(' ')

function powershell(client: HookClient, program: Program, event: string): string {
  const needs = program === 'installed' ? 'specboard' : 'node'
  const windows = typeof program === 'object' && 'path' in program ? (program.windows ?? program.path) : ''
  const words = program === 'installed' ? 'specboard hook' : `node "${windows}"`
  return `if (Get-Command ${needs} -ErrorAction SilentlyContinue) { ${words} ${event} --client ${client} }`
}
