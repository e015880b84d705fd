/** What `init` prints (harness 2.1). */
import { toolsetsHint } from '@specboard/mcp/calling'
import type { NamedBoard } from '../frame/board.ts'
import { printJson } from '../frame/output.ts'
import type { ProjectClient } from './client-files.ts'
import { confirmations, type Part } from './parts.ts'
import type { ProjectFiles } from './project-files.ts'

/** The flags that say how to print. */
interface Printing {
  readonly json?: boolean
}

/** The result of `init`. */
export interface InitResult {
  readonly url: string
  readonly board: NamedBoard
  readonly clients: readonly ProjectClient[]
  readonly parts: ReadonlySet<Part>
  readonly files: ProjectFiles
  /** The key of a new agent: shown once, written nowhere. */
  readonly newKey: string | undefined
  /** What to add by hand where another tool writes the hooks of Git. */
  readonly advice: string | undefined
}

/** Prints what was done. */
export function printResult({ json }: Printing, done: InitResult): void {
  const { url, board, clients, files, newKey, advice } = done
  if (json) {
    printJson({
      url,
      board,
      client: clients[0] ?? null,
      clients,
      files: shownFiles(files),
      confirm: toConfirm(done),
      api_key: newKey ?? null,
    })
    return
  }
  printFiles(files)
  if (newKey !== undefined) console.log(`API key: ${newKey}`)
  console.log(`Board ${board.key} (${board.name}).`)
  if (done.parts.has('mcp')) {
    for (const client of clients) console.log(`${client} takes the key from ${keySource(client)}.`)
    if (clients.length > 0) console.log(toolsetsHint)
  }
  for (const line of toConfirm(done)) console.log(line)
  if (advice !== undefined) console.log(advice)
}

/** The files as `--json` shows them. */
export const shownFiles = (files: ProjectFiles) =>
  files.changes().map(({ path, changed, deleted }) => ({ path, changed, deleted }))

/** What must be confirmed in the clients by hand before their hooks run. */
const toConfirm = ({ clients, parts }: Pick<InitResult, 'clients' | 'parts'>): readonly string[] =>
  parts.has('hooks') || parts.has('mcp') ? clients.map(client => confirmations[client]) : []

const keySource = (client: ProjectClient): string =>
  client === 'vscode' ? 'its own secret store and asks for it once' : 'SPECBOARD_API_KEY'

function printFiles(files: ProjectFiles): void {
  for (const { path, changed, deleted, isNew } of files.changes())
    console.log(`${changed ? (deleted ? 'deleted' : isNew ? 'wrote' : 'changed') : 'unchanged'} ${path}`)
}

/** Prints what would be done: each file, and the lines that differ. */
export function printDryRun({ json }: Printing, files: ProjectFiles): number {
  const differences = files.differences()
  if (json) printJson({ dry_run: true, files: differences })
  else {
    console.log('Nothing is written (--dry-run).')
    printFiles(files)
    for (const { path, lines } of differences) console.log(['', `--- ${path}`, ...lines].join('\n'))
  }
  return 0
}
