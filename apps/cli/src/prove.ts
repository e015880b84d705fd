/**
 * `specboard prove`: runs a command that should prove cards, specs or scenarios, and reports how it ended (evidence
 * 11).
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, glob, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { constants, hostname, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { routeNamed } from '@specboard/client'
import type { Operations } from '@specboard/contract'
import { maskKeys } from '@specboard/contract/mask-keys'
import type { z } from 'zod'
import { errorMessage } from './error-message.ts'
import { boardNamed } from './frame/board.ts'
import { Failure } from './frame/failure.ts'
import { withoutSecrets } from './frame/secrets.ts'
import { RefusalError, sendJson } from './frame/send.ts'
import { type KeyedTarget, keyed, type Target } from './frame/target.ts'
import { UsageError } from './frame/usage-error.ts'
import { Git } from './git/git.ts'
import { repositoryHere } from './git/repository.ts'
import type { Variables } from './report/ci-environment.ts'
import { type Identity, identityOf } from './report/identity.ts'
import { Tries } from './report/tries.ts'

type RunStart = z.output<Operations['begin_proof_run']['response']>
type RunVerdict = z.output<Operations['finish_proof_run']['response']>

/** The flags of `specboard prove`. */
export interface ProveFlags {
  readonly board?: string
  readonly repository?: string
  readonly audience?: string
  readonly report?: readonly string[]
  readonly require?: boolean
}

/** How a command ended. */
interface CommandEnd {
  /** A shell's exit code: 126 and 127 if it could not be started. */
  readonly exitCode: number
  /** The signal that ended it: a shell's exit code is then 128 plus its number. */
  readonly signal: NodeJS.Signals | null
  readonly sha256: string
  readonly bytes: number
  readonly tail: string
  readonly durationMs: number
}

/**
 * Watches a command from start to finish; its exit code is the command's. If the service is unreachable the command
 * runs anyway, unless the service is required.
 * @param words references of records, or `SPE-3/S2` for scenarios
 */
export async function prove(
  words: readonly string[],
  command: readonly string[],
  flags: ProveFlags,
  target: Target,
  variables: Variables,
): Promise<number> {
  if (words.length === 0 || command.length === 0)
    throw new UsageError('Say what is proven and by which command: specboard prove SPE-14 -- pnpm test')
  const startedAt = Date.now()
  const run = await begun(words, command, flags, { target, variables }).catch(error => {
    if (error instanceof UsageError) throw error
    // The targets do not exist or are not allowed, so the service would store nothing of the run.
    if (error instanceof RefusalError && error.status < 500) throw new UsageError(error.message)
    return away(error, flags)
  })
  if (run === 'required') return 1
  const outcome = await watched(command)
  if (run !== undefined)
    await finished(run, outcome, await newerThan(flags.report ?? [], startedAt), flags).catch(error => {
      if (error instanceof UsageError) throw error
      console.error(`specboard: nothing is stored: ${errorMessage(error)}`)
    })
  return outcome.exitCode
}

/** What happens if the service is unreachable. */
function away(error: unknown, { require: isRequired }: ProveFlags): 'required' | undefined {
  console.error(`specboard: ${errorMessage(error)}`)
  if (isRequired) return 'required'
  console.error('specboard: the command runs all the same; nothing is stored.')
  return undefined
}

/** A run that was begun, with the caller who began it and what it tests. */
interface ProofRun {
  readonly id: string
  readonly boardId: string
  readonly who: Identity
  readonly tested: TestedState
  readonly repository: string | undefined
}

/** The service to report to, and the variables that identify the caller. */
interface ProveTarget {
  readonly target: Target
  readonly variables: Variables
}

/**
 * The board to report to: the named one, otherwise the one whose key a reference begins with, otherwise the project's.
 */
function boardToProve([first = '']: readonly string[], { board }: ProveFlags, { target, variables }: ProveTarget) {
  const ofReference = first.includes('-') ? first.slice(0, first.indexOf('-')) : undefined
  return board ?? ofReference ?? (variables.SPECBOARD_BOARD || undefined) ?? target.board
}

/** The key that other verbs take too, else the token of the CI job. */
function identityNow(
  flags: ProveFlags,
  board: string | undefined,
  { target, variables }: ProveTarget,
): Promise<Identity> {
  const { SPECBOARD_ID_TOKEN: token, ACTIONS_ID_TOKEN_REQUEST_URL: address } = variables
  if (target.key === undefined && !token && !address) keyed(target)
  // A token is issued for the id of a board, which a reference does not contain.
  const boardName = address && !flags.board ? variables.SPECBOARD_BOARD || board : board
  return identityOf(target, { board: boardName, audience: flags.audience }, variables, new Tries())
}

async function begun(
  words: readonly string[],
  command: readonly string[],
  flags: ProveFlags,
  asking: ProveTarget,
): Promise<ProofRun> {
  const name = boardToProve(words, flags, asking)
  const identity = await identityNow(flags, name, asking)
  const { target, session } = identity
  const [board_id, tested] = await Promise.all([session?.boardId ?? boardFor(target, name), testedHere()])
  const repository =
    session === undefined
      ? (flags.repository ?? (await repositoryHere(target, board_id, new Git('.')).catch(() => undefined)))
      : undefined
  const body = {
    for: words,
    command: maskKeys(command.join(' ')).slice(0, 2_000),
    host: hostname().slice(0, 100),
    ...tested,
    ...(repository !== undefined && { repository_id: repository }),
  }
  const answer = await sendJson(target, routeNamed('begin_proof_run'), { params: { board_id }, query: {}, body })
  const { id } = answer as RunStart
  return { id, boardId: board_id, who: identity, tested, repository }
}

async function boardFor(target: KeyedTarget, name: string | undefined): Promise<string> {
  if (name === undefined) throw new UsageError('Name a board: --board KEY.')
  const { id } = await boardNamed(target, name).catch(error => {
    throw error instanceof Failure && error.code === 'NOT_FOUND' ? new UsageError(error.message) : error
  })
  return id
}

/** What is tested in a repository. */
interface TestedState {
  readonly commit?: string
  readonly tree?: string
  readonly dirty?: boolean
  readonly branch?: string
}

const execute = promisify(execFile)

/** The commit, branch and tree of the current work tree; empty outside a repository. */
async function testedHere(): Promise<TestedState> {
  const git = async (args: readonly string[], env: Record<string, string> = {}) =>
    (await execute('git', [...args], { env: { ...process.env, ...env }, maxBuffer: 1 << 26 })).stdout.trim()
  try {
    const [headTree, status] = await Promise.all([
      git(['rev-parse', '--verify', 'HEAD^{tree}']),
      git(['status', '--porcelain=v2', '--branch', '--no-ahead-behind']),
    ])
    const lines = status.split('\n')
    const header = (name: string) => lines.find(line => line.startsWith(`# ${name} `))!.slice(name.length + 3)
    const [commit, branch] = [header('branch.oid'), header('branch.head')]
    const dirty = lines.some(line => !line.startsWith('# '))
    const tree = dirty ? await treeOfWork(git) : headTree
    return { commit, dirty, tree, ...(branch !== '(detached)' && { branch }) }
  } catch {
    return {}
  }
}

/** The tree of the work tree's current state, written with a separate index: neither index nor work tree is touched. */
async function treeOfWork(git: (args: readonly string[], env?: Record<string, string>) => Promise<string>) {
  const folder = await mkdtemp(join(tmpdir(), 'specboard-index-'))
  try {
    const index = join(folder, 'index')
    await copyFile(resolve(await git(['rev-parse', '--git-path', 'index'])), index).catch(() => {})
    const root = await git(['rev-parse', '--show-toplevel'])
    await git(['-C', root, 'add', '--all'], { GIT_INDEX_FILE: index })
    return await git(['write-tree'], { GIT_INDEX_FILE: index })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How much of the end of an output is kept, bytes. */
const tailBytes = 8_192

/** Runs a command without a shell, with its output passed through. */
function watched([file, ...args]: readonly string[]): Promise<CommandEnd> {
  const startedAt = performance.now()
  const hash = createHash('sha256')
  let bytes = 0
  let tail = Buffer.alloc(0)
  const child = spawn(file!, args, { stdio: ['inherit', 'pipe', 'pipe'] })
  const pass = (out: NodeJS.WriteStream) => (chunk: Buffer) => {
    out.write(chunk)
    hash.update(chunk)
    bytes += chunk.length
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes)
  }
  child.stdout.on('data', pass(process.stdout))
  child.stderr.on('data', pass(process.stderr))
  const release = passSignals(child)
  return new Promise(settle => {
    let isOver = false
    const end = (exitCode: number, signal: NodeJS.Signals | null) => {
      // A command that could not be started also emits `close`.
      if (isOver) return
      isOver = true
      release()
      const durationMs = Math.round(performance.now() - startedAt)
      settle({ exitCode, signal, sha256: hash.digest('hex'), bytes, tail: withoutSecrets(tail.toString()), durationMs })
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      console.error(`specboard: ${file}: ${error.code === 'ENOENT' ? 'command not found' : error.message}`)
      end(error.code === 'ENOENT' ? 127 : 126, null)
    })
    child.once('close', (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal))
  })
}

/** Passes on the signals that are meant for the command. */
function passSignals(child: ChildProcess): () => void {
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(signal => {
    const pass = () => void child.kill(signal)
    process.on(signal, pass)
    return [signal, pass] as const
  })
  return () => {
    for (const [signal, pass] of handlers) process.off(signal, pass)
  }
}

/** The matching files that were written since a time, ms. */
async function newerThan(patterns: readonly string[], since: number): Promise<string[]> {
  const found = new Set<string>()
  for (const pattern of patterns)
    for await (const file of glob(pattern)) {
      const { mtimeMs, isFile } = await stat(file).then(stats => ({ mtimeMs: stats.mtimeMs, isFile: stats.isFile() }))
      // Some file systems store whole seconds.
      if (isFile && mtimeMs >= Math.floor(since / 1_000) * 1_000) found.add(file)
    }
  return [...found].toSorted()
}

async function finished(
  { id, boardId, who: { target, session }, tested, repository }: ProofRun,
  { exitCode, signal, sha256, bytes, tail, durationMs }: CommandEnd,
  files: readonly string[],
  { report }: ProveFlags,
): Promise<void> {
  if (files.length > 0) {
    const { commit, branch, tree, dirty } = tested
    const query = {
      proof_run_id: id,
      ...(dirty !== true && { commit }),
      branch,
      tree,
      repository_id: repository,
      // Reports of one CI run are distinguished by their names.
      ...(session !== undefined && { name: `prove ${id}` }),
    }
    const encoded = await Promise.all(
      files.map(async file => ({ name: basename(file), content_base64: (await readFile(file)).toString('base64') })),
    )
    const body = { files: encoded }
    await sendJson(target, routeNamed('submit_test_report'), { params: { board_id: boardId }, query, body })
  }
  const body = {
    exit_code: exitCode,
    signal,
    output_sha256: sha256,
    output_bytes: bytes,
    output_tail: tail.slice(-tailBytes),
    duration_ms: durationMs,
    reports_expected: (report ?? []).length > 0,
  }
  const answer = await sendJson(target, routeNamed('finish_proof_run'), { params: { run_id: id }, query: {}, body })
  const { status, tier, mapping } = answer as RunVerdict
  const set = (mapping?.scenarios ?? []).map(
    ({ spec_ref, scenario_id, from, to }) => `${spec_ref}/${scenario_id} ${from} → ${to}`,
  )
  console.error(`specboard: ${[`${status} (${tier})`, ...set].join(', ')}`)
}
