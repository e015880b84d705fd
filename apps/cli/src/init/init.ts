import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { createClient } from '@specboard/client'
import { boardNamed, boardsOf, type NamedBoard } from '../frame/board.ts'
import { reaching } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { type KeyedTarget, keyed, type ProjectFile, projectFileName, type Target } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { withSection } from './agents-section.ts'
import { clientFiles, type ProjectClient, projectClients, withService } from './client-files.ts'

/** The flags of `specboard init`. */
export interface InitFlags {
  readonly client?: string
  readonly board?: string
  readonly agent?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** What was chosen or made. */
interface Choice {
  readonly client: ProjectClient
  readonly board: NamedBoard
  /** The key of an agent that was made: shown once, written nowhere. */
  readonly newKey: string | undefined
}

/** `specboard init`: connects a project's folder with a board and a client; a second run changes nothing (exchange 3). */
export async function init(folder: string, flags: InitFlags, target: Target): Promise<number> {
  const service = keyed(target)
  const { client, board, newKey } = await reaching(service, () => choose(folder, flags, service))
  const project: ProjectFile = { url: service.url, board: board.key }
  const files = [
    write(folder, projectFileName, () => `${JSON.stringify(project, null, 2)}\n`),
    write(folder, clientFiles[client], present => withService(client, present, service.url)),
    write(folder, 'AGENTS.md', present => withSection(present, board.key)),
  ]
  if (flags.json) printJson({ url: service.url, board, client, files, api_key: newKey ?? null })
  else {
    for (const { path, changed } of files) console.log(`${changed ? 'wrote' : 'unchanged'} ${path}`)
    if (newKey !== undefined) console.log(`API key: ${newKey}`)
    console.log(`Board ${board.key} (${board.name}). ${client} takes the key from ${keySource(client)}.`)
  }
  return 0
}

const keySource = (client: ProjectClient): string =>
  client === 'vscode' ? 'its own secret store and asks for it once' : 'SPECBOARD_API_KEY'

/** Writes a file of the project, if its text changes. */
function write(folder: string, path: string, textFrom: (present: string) => string) {
  const file = join(folder, path)
  const present = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const text = textFrom(present)
  if (text === present) return { path, changed: false }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return { path, changed: true }
}

/** Chooses the client, the board and the agent, asking a person where the flags leave it open. */
async function choose(folder: string, flags: InitFlags, service: KeyedTarget): Promise<Choice> {
  const asks = !flags.yes && process.stdin.isTTY === true
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stderr }) : undefined
  const ask = async (question: string, usual: string) =>
    (await terminal?.question(`${question} [${usual}] `))?.trim() || usual
  try {
    const client = clientNamed(
      flags.client ?? (await ask(`Client (${projectClients.join(', ')})`, usualClient(folder))),
    )
    const known = flags.board ?? service.board
    const board = await boardFor(service, known ?? (await ask('Board', basename(folder))), known !== undefined)
    const newKey = flags.agent === undefined ? undefined : await agentFor(service, flags.agent)
    return { client, board, newKey }
  } finally {
    terminal?.close()
  }
}

/** The client whose file is there already, else the first. */
const usualClient = (folder: string): ProjectClient =>
  projectClients.find(client => existsSync(join(folder, clientFiles[client]))) ?? projectClients[0]

function clientNamed(name: string): ProjectClient {
  const known = projectClients.find(client => client === name)
  if (known === undefined) throw new UsageError(`--client must be one of ${projectClients.join(', ')}, not "${name}".`)
  return known
}

/** The board of that key or name; makes one unless it was said to be there. */
async function boardFor(service: KeyedTarget, name: string, mustExist: boolean): Promise<NamedBoard> {
  const boards = await boardsOf(service)
  const isThere = boards.some(board => [board.id, board.key, board.name].includes(name))
  if (isThere || mustExist) return boardNamed(service, name)
  return createClient(service).createBoard({ name, description: '' })
}

/** Makes an agent of that name with the preset Executor; undefined when there is one. */
async function agentFor(service: KeyedTarget, name: string): Promise<string | undefined> {
  const client = createClient(service)
  const { items } = await client.listAgents({})
  if (items.some(agent => agent.name === name)) return undefined
  const presets = await client.listPresets({})
  const executor = presets.items.find(preset => preset.is_builtin && preset.name === 'Executor')
  return (await client.createAgent({ name, preset_id: executor!.id })).api_key ?? undefined
}
