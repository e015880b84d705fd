import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { createClient } from '@specboard/client'
import { explain } from '../explain.ts'
import { boardNamed, boardsOf, type NamedBoard } from '../frame/board.ts'
import { Failure, reaching } from '../frame/failure.ts'
import { projectFileName } from '../frame/project-file.ts'
import { type KeyedTarget, keyed, type Target } from '../frame/target.ts'
import { type ProjectClient, projectClients } from './client-files.ts'
import { clientsNamed, clientsThere } from './clients-there.ts'
import { addGitHooks, checkGitHooks, removeGitHooks } from './git-hooks.ts'
import { type Step, stepBack, withInstalled } from './installed.ts'
import { changesFor, type Part, partsNamed } from './parts.ts'
import { printDryRun, printResult } from './print.ts'
import { ProjectFiles } from './project-files.ts'

/** The flags of `specboard init`. */
export interface InitFlags {
  /** A comma list, or `auto`. */
  readonly client?: string
  /** A comma list of parts. */
  readonly with?: string
  readonly dryRun?: boolean
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
  readonly clients: readonly ProjectClient[]
  /** The existing board; undefined if one of that name is to be created. */
  readonly board: NamedBoard | undefined
  readonly boardName: string
  /** The name of an agent to create. */
  readonly agent: string | undefined
  /** Whether agents may not validate their own work on a board that is created. */
  readonly separateReview: boolean
}

/**
 * `specboard init`: connects a project's folder with a board and clients; a second run changes nothing (harness 2.1).
 * All files are read and checked before anything is created, and what was created is undone if a later step fails. The
 * agent comes last: its key is shown once, so nothing may fail after it.
 */
export async function init(folder: string, flags: InitFlags, target: Target): Promise<number> {
  const service = keyed(target)
  const parts = partsNamed(flags.with)
  const hadGitHooks = parts.has('git-hooks') && (await checkGitHooks(folder))
  const choice = await reaching(service, () => choose(folder, flags, service))
  const { clients } = choice
  const plan = { clients, parts, url: service.url }
  const key = choice.board?.key ?? 'KEY'
  const files = ProjectFiles.read(folder, [
    projectFileName,
    ...changesFor({ ...plan, board: key }).map(({ path }) => path),
  ])
  // Checked before a board is made.
  changeFiles(files, { ...plan, board: key, hadGitHooks })
  if (flags.dryRun) return printDryRun(flags, files)
  files.forget()
  const undoing: (() => unknown)[] = []
  try {
    const board = choice.board ?? (await makeBoard(service, choice, undoing))
    changeFiles(files, { ...plan, board: board.key, hadGitHooks })
    undoing.push(() => files.restore())
    files.write()
    if (parts.has('git-hooks') && !hadGitHooks) undoing.push(() => removeGitHooks(folder))
    const advice = parts.has('git-hooks') ? await addGitHooks(folder) : undefined
    const newKey = choice.agent === undefined ? undefined : await makeAgent(service, choice.agent, flags.preset)
    printResult(flags, { url: service.url, board, clients, parts, files, newKey, advice })
    return 0
  } catch (error) {
    throw await undone(undoing, error)
  }
}

/** What the files are to contain. */
interface Plan {
  readonly clients: readonly ProjectClient[]
  readonly parts: ReadonlySet<Part>
  readonly url: string
  readonly board: string
  /** Whether hooks of Git were installed by hand before, and so are not init's to remove. */
  readonly hadGitHooks: boolean
}

/** Changes the files, and records in the project file how to undo what cannot be derived from the texts later. */
function changeFiles(files: ProjectFiles, { hadGitHooks, ...plan }: Plan): void {
  const steps: Step[] = []
  for (const { path, change, undo } of changesFor(plan)) {
    const [before, after] = files.change(path, change)
    // If the file already contained something from an earlier run, no step back is recorded: it would restore that.
    if (after !== before && undo(after) !== before && undo(before) === before) steps.push(stepBack(path, before, after))
  }
  const parts = [...plan.parts].filter(part => part !== 'git-hooks' || !hadGitHooks)
  const folders = files.emptyFolders()
  files.change(projectFileName, present => withInstalled(present, { ...plan, with: parts, steps, folders }))
}

/** Undoes what was created, last first; returns the error to end with, which lists what could not be undone. */
async function undone(steps: readonly (() => unknown)[], error: unknown): Promise<unknown> {
  for (const undo of steps.toReversed()) {
    try {
      await undo()
    } catch (left) {
      const code = error instanceof Failure ? error.code : 'FAILED'
      return new Failure(code, `${explain(error)} What was created could not be undone: ${explain(left)}`, {
        cause: error,
      })
    }
  }
  return error
}

/** Chooses the clients, the board and the agent, asking a person if the flags leave it open. */
async function choose(folder: string, flags: InitFlags, service: KeyedTarget): Promise<Choice> {
  const asks = !flags.yes && process.stdin.isTTY === true
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stderr }) : undefined
  const ask = async (question: string, usual: string) =>
    (await terminal?.question(`${question} [${usual}] `))?.trim() || usual
  try {
    const usual = asks ? usualClient(folder) : 'auto'
    const clients = clientsNamed(
      flags.client ?? (await ask(`Clients (${projectClients.join(', ')}, auto)`, usual)),
      folder,
    )
    const chosenBoard = flags.board ?? service.board
    const boardName = chosenBoard ?? (await ask('Board', basename(folder)))
    const board = await boardFor(service, boardName, chosenBoard !== undefined)
    const separateReview = board === undefined && (flags.separateReview ?? isYes(await ask(reviewQuestion, 'no')))
    const agent = flags.agent === undefined || (await hasAgent(service, flags.agent)) ? undefined : flags.agent
    return { clients, board, boardName, agent, separateReview }
  } finally {
    terminal?.close()
  }
}

/** The question about separate review on a new board: one agent alone can only finish cards without it (people 1.3). */
const reviewQuestion = 'Require separate review, so that nobody validates their own work (yes, no)'

const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer)

/** The client whose folder or file already exists, otherwise the first. */
const usualClient = (folder: string): ProjectClient => clientsThere(folder, {})[0] ?? projectClients[0]

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
