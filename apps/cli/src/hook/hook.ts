/**
 * `specboard hook EVENT`: reports an event of a client to the service, and the service's answer to the client (harness
 * 3.1).
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { addressAt } from '@specboard/client/address'
import type { Variables } from '../frame/credentials.ts'
import { projectAbove } from '../frame/project-file.ts'
import { type Target, targetOf } from '../frame/target.ts'
import { keepClaims } from '../git/claim-file.ts'
import { answerFor, silence } from './answers.ts'
import { ask, configuredTimeout } from './ask.ts'
import type { ClientName } from './exit-code.ts'
import { type Fields, fieldsIn, type HookInput, readInput } from './inputs.ts'
import { reportOf } from './report.ts'
import { HookState, hookClients } from './state.ts'
import { type WorkTree, workTreeOf } from './work-tree.ts'

const events: ReadonlySet<string> = new Set(
  'session_start prompt before_edit before_shell after_shell claimed before_compact stop subagent_start subagent_stop session_end'.split(
    ' ',
  ),
)

const clients: ReadonlySet<string> = new Set(hookClients)

/** How long to wait for an answer, ms. */
const patienceMs = (event: string, variables: Variables): number =>
  configuredTimeout(variables) ?? (event === 'session_start' ? 1_000 : 200)

/** The words of the command line. */
interface Words {
  readonly event: string
  readonly client: ClientName
  readonly dryRun: boolean
}

function wordsOf(args: readonly string[]): Partial<Words> {
  const at = args.indexOf('--client')
  const clientName =
    at === -1 ? args.find(word => word.startsWith('--client='))?.slice('--client='.length) : args[at + 1]
  const event = args.find((word, index) => !word.startsWith('-') && (at === -1 || index !== at + 1))
  return {
    ...(event !== undefined && { event }),
    client: (clientName ?? 'claude-code') as ClientName,
    dryRun: args.includes('--dry-run'),
  }
}

/**
 * Runs the hook. Whatever goes wrong, it prints what the client's form requires, nothing on standard error, and exits
 * successfully.
 * @param args the words after `specboard hook`
 */
export async function hook(args: readonly string[], variables: Variables): Promise<void> {
  // `performance` would load another module.
  const startedAt = Date.now()
  const words = wordsOf(args)
  let output = silence(words.client)
  let outcome = 'nothing'
  try {
    if (words.event !== undefined && events.has(words.event) && clients.has(words.client!)) {
      const result = await run(words as Words, variables)
      outcome = result.outcome
      output = result.output ?? output
    } else outcome = 'unknown event or client'
  } catch (error) {
    outcome = `failed: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`
  }
  note(variables, { event: words.event, client: words.client, outcome, ms: Date.now() - startedAt })
  if (output !== '') print(output)
}

/** What a hook did, without texts, and its output. */
interface Result {
  readonly outcome: string
  readonly output?: string
}

async function run({ event, client, dryRun }: Words, variables: Variables): Promise<Result> {
  const dry = (value: unknown): Result => ({ outcome: 'dry run', output: JSON.stringify(value, null, 2) })
  const none = (why: string): Result => (dryRun ? dry({ request: null, why }) : { outcome: why })
  if (variables.SPECBOARD_HOOKS === 'off') return none('switched off')
  const raw = fieldsIn(JSON.parse(await inputText()))
  const input = readInput(client, raw)
  const cwd = input.cwd ?? process.cwd()
  const project = projectAbove(cwd)
  const board = variables.SPECBOARD_BOARD || project?.board
  if (board === undefined) return none('no board')
  const options = fieldsIn(project?.hooks)
  if (options[event] === false) return none('switched off')
  const state = new HookState(variables)
  const session = input.session === undefined ? {} : state.read(input.session)
  if (!dryRun && (session.waits?.[event] ?? 0) > Date.now()) return none('asked a moment ago')
  const target = targetOf(variables, cwd)
  if (!dryRun && target.key === undefined) return none('no key')
  if (!dryRun && state.isDown(target.url, Date.now())) return none('failed a moment ago')
  const tree = workTreeOf(cwd)
  const transcript = () => (input.transcript === undefined ? undefined : endOfFile(input.transcript))
  const report = reportOf({ event, client, raw, input, cwd, tree, board, options, session, transcript })
  if (report === undefined) return none('nothing to tell')
  const url = addressAt(target.url, `/api/v1/me/hooks/${event}`)
  if (dryRun) return dry({ request: { method: 'POST', url: url.href, body: report } })
  if (event === 'session_start') quietly(() => exportSession(client, input.session!, variables))
  return askService({ event, client, input, report, url, target, state, tree, variables })
}

/** The request to send. */
interface HookRequest {
  readonly event: string
  readonly client: ClientName
  readonly input: HookInput
  readonly report: Fields
  readonly url: URL
  readonly target: Target
  readonly state: HookState
  readonly tree: WorkTree | undefined
  readonly variables: Variables
}

async function askService({
  event,
  client,
  input,
  report,
  url,
  target,
  state,
  tree,
  variables,
}: HookRequest): Promise<Result> {
  const session = input.session!
  const { status, body } = await ask(url, target.key!, JSON.stringify(report), patienceMs(event, variables)).catch(
    error => {
      state.markDown(target.url)
      throw error
    },
  )
  if (status === 429) return { outcome: 'too many' }
  if (status !== 200) {
    state.markDown(target.url)
    return { outcome: `answered ${status}` }
  }
  const answer = fieldsIn(body)
  quietly(() => state.spoke(client))
  quietly(() => noteClaims(state, session, tree, answer))
  quietly(() => remember(state, session, { event, report, answer }))
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const reply = { context: text(answer.context), deny: text(answer.deny), message: text(answer.message) }
  return { outcome: 'answered', output: answerFor(client, event, input.eventName, reply) }
}

/** Lets the shells of the session know its id, so that verbs name it: Claude Code reads a file of lines for them. */
function exportSession(client: ClientName, session: string, { CLAUDE_ENV_FILE: file }: Variables): void {
  if (client === 'claude-code' && file && /^[\w.-]+$/.test(session))
    appendFileSync(file, `export SPECBOARD_SESSION='${session}'\n`)
}

/** Keeps the file of the work tree that says which cards are claimed there, for hooks of git (git 5). */
function noteClaims(state: HookState, session: string, tree: WorkTree | undefined, { claims }: Fields): void {
  if (tree === undefined || !Array.isArray(claims)) return
  const claimed = claims
    .map(fieldsIn)
    .flatMap(({ ref, stage }) => (stage === 'work' && typeof ref === 'string' ? [ref] : []))
  const { claims: former = [] } = state.read(session)
  const released = former.filter(ref => !claimed.includes(ref))
  keepClaims(tree.gitDir, claimed, released)
  if (released.length > 0 || claimed.length > former.length) state.keep(session, { claims: claimed })
}

/** What later hooks of the session want to know. */
function remember(
  state: HookState,
  session: string,
  { event, report, answer }: { readonly event: string; readonly report: Fields; readonly answer: Fields },
): void {
  if (event === 'session_end') {
    state.forget(session)
    return
  }
  const { waits = {}, edited = [] } = state.read(session)
  if (typeof answer.wait_s === 'number' && answer.wait_s > 0)
    state.keep(session, { waits: { ...waits, [event]: Date.now() + answer.wait_s * 1_000 } })
  if (event === 'before_edit') {
    const all = [...new Set([...(report.paths as string[]), ...edited])].slice(0, 20)
    if (all.join('\n') !== edited.join('\n')) state.keep(session, { edited: all })
  }
  if (event === 'after_shell')
    state.keep(session, {
      lastRun: `${String(report.command).slice(0, 200)} ${report.exit_code === null ? 'ended, exit code not known' : `exit code ${report.exit_code}`}`,
    })
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // A full disk is not a reason to get in the way.
  }
}

/** Maximum number of bytes of the input that are kept; more is read and discarded. */
const maxInputBytes = 4 << 20

/** How long to wait for the input, ms. */
const inputMs = 2_000

/** Standard input to its end. */
function inputText(): Promise<string> {
  if (fstatSync(0).isCharacterDevice()) return Promise.resolve('{}')
  const { stdin } = process
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const read = () => resolve(Buffer.concat(chunks).toString('utf8'))
    // Do not wait for a client that never closes it.
    setTimeout(read, inputMs).unref()
    stdin.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxInputBytes) chunks.push(chunk)
    })
    stdin.on('end', read)
    stdin.on('error', reject)
  })
}

/** Maximum number of bytes of a transcript that are searched for the end of a command. */
const maxTranscriptBytes = 1 << 20

function endOfFile(file: string): string | undefined {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(handle)
    if (!stats.isFile()) return undefined
    const bytes = Buffer.alloc(Math.min(stats.size, maxTranscriptBytes))
    const length = readSync(handle, bytes, 0, bytes.length, stats.size - bytes.length)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(handle)
  }
}

/** Records what happened in the file given by SPECBOARD_HOOK_LOG, without texts. */
function note({ SPECBOARD_HOOK_LOG: file }: Variables, entry: Fields): void {
  if (file) quietly(() => appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`))
}

function print(text: string): void {
  quietly(() => {
    const bytes = Buffer.from(`${text}\n`)
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
  })
}
