import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { createClient } from '@specboard/client'
import { toolsetsHint } from '@specboard/mcp'
import { explain } from '../explain.ts'
import { boardNamed, boardsOf, type NamedBoard } from '../frame/board.ts'
import { Failure, reaching } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { projectFileName } from '../frame/project-file.ts'
import { type KeyedTarget, keyed, type Target } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { withoutSection, withReference, withSection } from './agents-section.ts'
import {
  agentsFile,
  clientFiles,
  type ProjectClient,
  projectClients,
  withoutService,
  withService,
} from './client-files.ts'
import { ProjectFiles } from './project-files.ts'

/** The flags of `specboard init`. */
export interface InitFlags {
  readonly client?: string
  readonly board?: string
  readonly agent?: string
  readonly preset?: string
  readonly separateReview?: boolean
  readonly remove?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/** The choices; nothing has been created yet. */
interface Choice {
  readonly client: ProjectClient
  /** The existing board; undefined if one of that name is to be created. */
  readonly board: NamedBoard | undefined
  readonly boardName: string
  /** The name of an agent to create. */
  readonly agent: string | undefined
  /** Whether nobody may validate its own work on a board that is to be made. */
  readonly separateReview: boolean
}

/** The file by which Claude Code is told of AGENTS.md. */
const claudeFile = 'CLAUDE.md'

/** The files besides the project's and the client's own that a client reads. */
const readBy = (client: ProjectClient): readonly string[] =>
  client === 'claude-code' ? [agentsFile, claudeFile] : [agentsFile]

/**
 * `specboard init`: connects a project's folder with a board and a client; a second run changes nothing (exchange 3).
 * All files are read and checked before anything is created, and what was created is undone if a later step fails. The
 * agent comes last: its key is shown once, so nothing may fail after it.
 */
export async function init(folder: string, flags: InitFlags, target: Target): Promise<number> {
  const service = keyed(target)
  const choice = await reaching(service, () => choose(folder, flags, service))
  const { client } = choice
  const files = ProjectFiles.read(folder, [projectFileName, clientFiles[client], ...readBy(client)])
  // Judged before a board is made.
  files.change(clientFiles[client], present => withService(client, present, { url: service.url, board: 'KEY' }))
  const undoing: (() => unknown)[] = []
  try {
    const board = choice.board ?? (await makeBoard(service, choice, undoing))
    files.change(clientFiles[client], present => withService(client, present, { url: service.url, board: board.key }))
    files.change(projectFileName, present => projectText(present, { url: service.url, board: board.key }))
    files.change(agentsFile, present => withSection(present, board.key))
    if (client === 'claude-code') files.change(claudeFile, withReference)
    undoing.push(() => files.restore())
    files.write()
    const newKey = choice.agent === undefined ? undefined : await makeAgent(service, choice.agent, flags.preset)
    tell(flags, { service, board, client, files, newKey })
    return 0
  } catch (error) {
    throw await undone(undoing, error)
  }
}

/** The text of the project's file: other content, such as the profile, is unchanged. */
const projectText = (present: string, said: { readonly url: string; readonly board: string }): string =>
  `${JSON.stringify({ ...(present === '' ? {} : (JSON.parse(present) as object)), ...said }, null, 2)}\n`

/** Undoes what was created, last first; returns the error to end with, which lists what could not be undone. */
async function undone(steps: readonly (() => unknown)[], error: unknown): Promise<unknown> {
  for (const undo of steps.toReversed()) {
    try {
      await undo()
    } catch (left) {
      const code = error instanceof Failure ? error.code : 'FAILED'
      return new Failure(code, `${explain(error)} What was made before could not be undone: ${explain(left)}`, {
        cause: error,
      })
    }
  }
  return error
}

/** The result of `init`. */
interface Done {
  readonly service: KeyedTarget
  readonly board: NamedBoard
  readonly client: ProjectClient
  readonly files: ProjectFiles
  /** The key of a new agent: shown once, written nowhere. */
  readonly newKey: string | undefined
}

function tell({ json }: InitFlags, { service, board, client, files, newKey }: Done): void {
  const changes = files.changes()
  if (json) printJson({ url: service.url, board, client, files: changes, api_key: newKey ?? null })
  else {
    for (const { path, changed } of changes) console.log(`${changed ? 'wrote' : 'unchanged'} ${path}`)
    if (newKey !== undefined) console.log(`API key: ${newKey}`)
    console.log(`Board ${board.key} (${board.name}). ${client} takes the key from ${keySource(client)}.`)
    console.log(toolsetsHint)
  }
}

/**
 * `specboard init --remove`: removes from a project's files what `init` wrote into them, for every client or for one;
 * files with nothing else in them are deleted. The board and the agents stay, and no service is called (exchange 3).
 */
export function removeInit(folder: string, flags: InitFlags): number {
  const clients = flags.client === undefined ? projectClients : [clientNamed(flags.client)]
  const files = ProjectFiles.read(folder, [
    projectFileName,
    ...clients.map(client => clientFiles[client]),
    ...new Set(clients.flatMap(readBy)),
  ])
  for (const client of clients) files.change(clientFiles[client], present => withoutService(client, present))
  files.change(projectFileName, () => '')
  for (const path of new Set(clients.flatMap(readBy))) files.change(path, withoutSection)
  try {
    files.write()
  } catch (error) {
    files.restore()
    throw error
  }
  const changed = files.changes().filter(file => file.changed)
  if (flags.json) printJson({ files: changed })
  else if (changed.length === 0) console.log('nothing of Specboard stands in this folder')
  else for (const { path, deleted } of changed) console.log(`${deleted ? 'deleted' : 'cleared'} ${path}`)
  return 0
}

const keySource = (client: ProjectClient): string =>
  client === 'vscode' ? 'its own secret store and asks for it once' : 'SPECBOARD_API_KEY'

/** Chooses the client, the board and the agent, asking a person if the flags leave it open. */
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
    const boardName = known ?? (await ask('Board', basename(folder)))
    const board = await boardFor(service, boardName, known !== undefined)
    const separateReview = board === undefined && (flags.separateReview ?? isYes(await ask(reviewQuestion, 'no')))
    const agent = flags.agent === undefined || (await hasAgent(service, flags.agent)) ? undefined : flags.agent
    return { client, board, boardName, agent, separateReview }
  } finally {
    terminal?.close()
  }
}

/** The question about separate review on a new board: one agent alone can only finish cards without it (people 1.3). */
const reviewQuestion = 'Shall nobody validate their own work (yes, no)'

const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer)

/** The client whose file already exists, otherwise the first. */
const usualClient = (folder: string): ProjectClient =>
  projectClients.find(client => existsSync(join(folder, clientFiles[client]))) ?? projectClients[0]

function clientNamed(name: string): ProjectClient {
  const known = projectClients.find(client => client === name)
  if (known === undefined) throw new UsageError(`--client must be one of ${projectClients.join(', ')}, not "${name}".`)
  return known
}

/** The board with that key or name; undefined if there is none, unless it must exist. */
async function boardFor(service: KeyedTarget, name: string, mustExist: boolean): Promise<NamedBoard | undefined> {
  const boards = await boardsOf(service)
  const isThere = boards.some(board => [board.id, board.key, board.name].includes(name))
  return isThere || mustExist ? boardNamed(service, name) : undefined
}

/** Creates a board, to be deleted if a later step fails. */
async function makeBoard(
  service: KeyedTarget,
  { boardName: name, separateReview }: Choice,
  undoing: (() => unknown)[],
): Promise<NamedBoard> {
  const client = createClient(service)
  const board = await client.createBoard({ name, description: '' })
  undoing.push(() => client.deleteBoard({ board_id: board.id }))
  if (separateReview) await client.updateBoard({ board_id: board.id, settings: { require_separate_reviewer: true } })
  return board
}

const hasAgent = async (service: KeyedTarget, name: string): Promise<boolean> =>
  (await createClient(service).listAgents({})).items.some(agent => agent.name === name)

/** Creates an agent, by default with the preset Solo; returns its key, unless the service does not reveal it (crew 8.10). */
const makeAgent = async (service: KeyedTarget, name: string, preset = 'Solo'): Promise<string | undefined> =>
  (await createClient(service).createAgent({ name, preset_id: preset })).api_key ?? undefined
