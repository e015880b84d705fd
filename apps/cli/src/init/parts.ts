/** What `init` writes into a project's files for its clients, part by part (harness 2.1). */
import { UsageError } from '../frame/usage-error.ts'
import { withImport, withoutSection, withSection } from './agents-section.ts'
import { clientFiles, type ProjectClient, withoutService, withService } from './client-files.ts'
import { hookFiles, withHooks, withoutHooks } from './hook-files.ts'
import { skillFiles } from './skill-files.ts'

/** The parts that may be chosen. */
const allParts = ['mcp', 'instructions', 'skills', 'hooks', 'git-hooks'] as const

export type Part = (typeof allParts)[number]

const usualParts: readonly Part[] = ['mcp', 'instructions', 'skills', 'hooks']

/** @throws UsageError for an unknown part */
export function partsNamed(list: string | undefined): ReadonlySet<Part> {
  if (list === undefined) return new Set(usualParts)
  const names = list.split(',').map(name => name.trim())
  const unknown = names.find(name => !allParts.some(part => part === name))
  if (unknown !== undefined)
    throw new UsageError(`--with takes a comma list of ${allParts.join(', ')}, not "${unknown}".`)
  return new Set(names as Part[])
}

const agentsFile = 'AGENTS.md'

/** The files of clients that read AGENTS.md only if it is imported there. */
const importingFiles: Partial<Readonly<Record<ProjectClient, string>>> = {
  'claude-code': 'CLAUDE.md',
  gemini: 'GEMINI.md',
}

/** How a file of the project changes, and how the change is taken out; an empty text deletes the file. */
export interface FileChange {
  readonly path: string
  readonly change: (present: string) => string
  readonly undo: (present: string) => string
}

/** What the clients' files are to contain. */
interface ClientFileContents {
  readonly clients: readonly ProjectClient[]
  readonly parts: ReadonlySet<Part>
  readonly url: string
  /** The key of the board. */
  readonly board: string
}

/** The changes of all files, in the order in which they are made; no two are the same. */
export function changesFor({ clients, parts, url, board }: ClientFileContents): FileChange[] {
  const changes = clients.flatMap((client): FileChange[] => [
    ...(parts.has('mcp') ? [serverChange(client, { url, board })] : []),
    ...(parts.has('hooks') ? [hookChange(client)] : []),
    ...(parts.has('skills') ? skillChanges(client) : []),
    ...(parts.has('instructions') ? importChanges(client) : []),
  ])
  const all = parts.has('instructions') ? [...changes, sectionChange(board)] : changes
  // Several clients share the folder of the skills.
  return all.filter(({ path }, at) => !path.endsWith('/SKILL.md') || all.findIndex(each => each.path === path) === at)
}

/** The changes that remove everything that init can write into the clients' files, last first. */
export const changesAgainst = (clients: readonly ProjectClient[]): FileChange[] =>
  changesFor({ clients, parts: new Set(allParts), url: '', board: '' }).toReversed()

const serverChange = (client: ProjectClient, bound: Pick<ClientFileContents, 'url' | 'board'>): FileChange => ({
  path: clientFiles[client],
  change: present => withService(client, present, bound),
  undo: present => withoutService(client, present),
})

const hookChange = (client: ProjectClient): FileChange => ({
  path: hookFiles[client],
  change: present => withHooks(client, present),
  undo: present => withoutHooks(client, present),
})

const skillChanges = (client: ProjectClient): FileChange[] =>
  Object.entries(skillFiles(client)).map(([path, text]) => ({
    path,
    change: () => text,
    // A skill that somebody changed stays.
    undo: present => (present === text ? '' : present),
  }))

const sectionChange = (board: string): FileChange => ({
  path: agentsFile,
  change: present => withSection(agentsFile, present, board),
  undo: present => withoutSection(agentsFile, present),
})

function importChanges(client: ProjectClient): FileChange[] {
  const path = importingFiles[client]
  if (path === undefined) return []
  return [{ path, change: present => withImport(path, present), undo: present => withoutSection(path, present) }]
}

/** What has to be confirmed in a client by hand before its hooks run. */
export const confirmations: Readonly<Record<ProjectClient, string>> = {
  'claude-code': 'Claude Code: trust the folder when it asks.',
  cursor: 'Cursor: trust the folder when it asks.',
  vscode: 'VS Code: trust the folder when it asks.',
  codex: 'Codex: trust the hooks in /hooks.',
  gemini: 'Gemini CLI: trust the folder when it asks.',
}
