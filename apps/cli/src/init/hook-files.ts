/** The hooks of each client in the file of a project that it reads (harness 2.1). */
import { hooksFor } from '../plugin/hook-forms.ts'
import type { HookClient } from '../plugin/hook-table.ts'
import type { ProjectClient } from './client-files.ts'
import { edited, jsonIn, readJson } from './json-text.ts'

/** The hooks of a client: VS Code runs those of Copilot. */
const clients: Readonly<Record<ProjectClient, HookClient>> = {
  'claude-code': 'claude-code',
  cursor: 'cursor',
  vscode: 'copilot',
  codex: 'codex',
  gemini: 'gemini',
}

/** The file of each client's hooks, from the project's folder. */
export const hookFiles: Readonly<Record<ProjectClient, string>> = {
  'claude-code': '.claude/settings.json',
  cursor: '.cursor/hooks.json',
  vscode: '.github/hooks/specboard.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
}

type Lists = Readonly<Record<string, readonly unknown[]>>

interface HookFile {
  readonly version?: number
  readonly hooks?: Lists
}

/** @throws UsageError for a text that is not JSON */
const readHooks = (client: ProjectClient, text: string): HookFile =>
  (readJson(hookFiles[client], text) as HookFile | null) ?? {}

/** Our hooks are recognized by their command. */
const isOurs = (entry: unknown): boolean => JSON.stringify(entry).includes('specboard hook ')

/** The text of a client's file with the hooks added; everything else, including comments, is unchanged. */
export function withHooks(client: ProjectClient, present: string): string {
  const { version, hooks: ownHooks } = hooksFor(clients[client], 'installed') as Required<HookFile>
  const existing = readHooks(client, present)
  let text = present || '{}'
  if (version !== undefined && existing.version === undefined) text = edited(text, ['version'], version)
  for (const [event, entries] of Object.entries(ownHooks)) {
    const current = existing.hooks?.[event] ?? []
    const own = current.filter(isOurs)
    if (JSON.stringify(own) === JSON.stringify(entries)) continue
    text = withoutOurs(text, event, current)
    if (current.length === 0) text = edited(text, ['hooks', event], entries)
    // After the last one.
    else for (const entry of entries) text = edited(text, ['hooks', event, -1], entry, true)
  }
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Removes our entries of an event, the last one first. */
function withoutOurs(present: string, event: string, current: readonly unknown[]): string {
  const others = current.filter(entry => !isOurs(entry))
  let text = present
  for (let at = current.length - 1; at >= 0; at--)
    if (isOurs(current[at])) text = edited(text, ['hooks', event, at], undefined)
  // The library breaks some single-line texts; in that case the list is rewritten.
  const remaining = (jsonIn(text) as HookFile | null | undefined)?.hooks?.[event]
  return JSON.stringify(remaining) === JSON.stringify(others) ? text : edited(present, ['hooks', event], others)
}

/** The text of a client's file without the hooks; empty if it contains nothing else. */
export function withoutHooks(client: ProjectClient, present: string): string {
  if (present === '') return ''
  const { hooks = {} } = readHooks(client, present)
  const ours = Object.entries(hooks).filter(([, entries]) => entries.some(isOurs))
  if (ours.length === 0) return present
  const isAll = ours.length === Object.keys(hooks).length && ours.every(([, entries]) => entries.every(isOurs))
  let text = present
  if (isAll) text = edited(text, ['hooks'], undefined)
  else
    for (const [event, entries] of ours)
      text = entries.every(isOurs) ? edited(text, ['hooks', event], undefined) : withoutOurs(text, event, entries)
  const remaining = Object.keys(readHooks(client, text)).filter(name => name !== 'version')
  return remaining.length === 0 ? '' : text
}
