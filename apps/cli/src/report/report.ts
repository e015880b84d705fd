/** `specboard report`: sends the results of a test run, and the commits of its push (evidence 11). */
import { readFileSync } from 'node:fs'
import { routeNamed } from '@specboard/client'
import { explain } from '../explain.ts'
import { boardNamed } from '../frame/board.ts'
import { errorObject } from '../frame/error-object.ts'
import { printJson } from '../frame/output.ts'
import { send, sendJson } from '../frame/send.ts'
import type { KeyedTarget, Target } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { Git } from '../git/git.ts'
import { repositoryHere } from '../git/repository.ts'
import { type CiRun, ciRunOf, type Variables } from './ci-environment.ts'
import { filesMatching, filesToSend } from './files.ts'
import { type Identity, identityOf } from './identity.ts'
import { pushedCommits } from './pushed-commits.ts'
import { provesNothing, reportText, type SentReport } from './report-text.ts'
import { endingWith, isAway, Tries } from './tries.ts'

/** The flags of `specboard report`. */
export interface ReportFlags {
  readonly board?: string
  readonly audience?: string
  readonly name?: string
  readonly for?: string
  readonly format?: string
  readonly repository?: string
  readonly commit?: string
  readonly testedCommit?: string
  readonly branch?: string
  readonly pullRequest?: string
  readonly run?: string
  readonly attempt?: string
  readonly runUrl?: string
  readonly preview?: boolean
  readonly strict?: boolean
  readonly bestEffort?: boolean
  readonly json?: boolean
}

/** What was tested, according to flags, the CI environment, or Git; and how to report the commits of its push. */
interface TestedState {
  readonly commit: string | undefined
  readonly testedCommit: string | undefined
  readonly branch: string | undefined
  readonly pullRequest: string | undefined
  readonly run: string | undefined
  readonly attempt: string | undefined
  readonly url: string | undefined
  readonly base: string | undefined
  readonly isFork: boolean
}

/**
 * Sends report files; the exit code is 0 if they are accepted, whatever the test results.
 * @throws UsageError for wrong use, or if no file matches; Refused and Failure if it was not sent
 */
export async function report(
  patterns: readonly string[],
  flags: ReportFlags,
  target: Target,
  variables: Variables,
): Promise<number> {
  const names = await filesMatching(patterns)
  const git = new Git('.')
  const tested = await testedHere(git, flags, variables)
  const files = await filesToSend(names)
  const tries = new Tries()
  try {
    const board = flags.board ?? (variables.SPECBOARD_BOARD || undefined) ?? target.board ?? boardOfRef(flags.for)
    const identity = await identityOf(target, { board, audience: flags.audience }, variables, tries)
    const board_id = identity.session?.boardId ?? (await boardFor(identity.target, board, tries))
    const repository =
      identity.session?.repositoryId ??
      flags.repository ??
      (await tries
        .of(signal => repositoryHere(endingWith(identity.target, signal), board_id, git))
        .catch(() => undefined))
    if (!flags.preview) await sendCommits(identity.target, { board_id, repository, git, tested }, tries)
    const result = await sendReport(identity, { board_id, repository, files, flags, tested }, tries)
    if (flags.json) printJson(result)
    else console.log(reportText(result))
    if (identity.session?.trusted === false)
      console.error(`specboard: this run counts only as observed (${identity.session.reason}).`)
    return flags.strict && provesNothing(result) ? 3 : 0
  } catch (error) {
    if (!flags.bestEffort || !isAway(error)) throw error
    console.error(`specboard: the report was not sent: ${explain(error)}`)
    if (flags.json) printJson(errorObject(error))
    return 0
  }
}

/** The key of the board of the first reference. */
const boardOfRef = (refs: string | undefined): string | undefined =>
  /^\s*([A-Za-z][A-Za-z0-9]*)-\d/.exec(refs ?? '')?.[1]

async function boardFor(target: KeyedTarget, name: string | undefined, tries: Tries): Promise<string> {
  if (name === undefined) throw new UsageError('Name a board: --board, SPECBOARD_BOARD, or .specboard.json.')
  return (await tries.of(signal => boardNamed(endingWith(target, signal), name))).id
}

/** The event of the run in a file of the job; undefined if it cannot be read. */
function eventOf({ GITHUB_EVENT_PATH: path }: Variables): unknown {
  if (path === undefined || path === '') return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** What is tested here: according to flags, otherwise the CI environment, otherwise Git. */
async function testedHere(git: Git, flags: ReportFlags, variables: Variables): Promise<TestedState> {
  const run = ciRunOf(variables, eventOf(variables))
  const revision = run === undefined ? await testedByGit(git, flags) : await testedByCi(git, run)
  return {
    commit: flags.commit ?? revision.commit,
    testedCommit: flags.testedCommit ?? (flags.commit === undefined ? revision.testedCommit : undefined),
    branch: flags.branch ?? revision.branch,
    pullRequest: flags.pullRequest ?? (run?.pullRequest === undefined ? undefined : String(run.pullRequest)),
    run: flags.run ?? run?.run,
    attempt: flags.attempt ?? (run === undefined ? undefined : String(run.attempt)),
    url: flags.runUrl ?? run?.url,
    base: run?.base,
    isFork: run?.isFork ?? false,
  }
}

type RevisionAnswer = Pick<TestedState, 'commit' | 'testedCommit' | 'branch'>

async function testedByCi(
  git: Git,
  { commit, testedCommit, branch, headRef, pullRequest }: CiRun,
): Promise<RevisionAnswer> {
  if (headRef !== undefined) {
    const head = await git.line('rev-parse', '--verify', '--quiet', `${headRef}^{commit}`)
    if (head !== undefined && head !== commit) return { commit: head, testedCommit: commit, branch }
  }
  // The second parent of a trial merge is the commit that it tries to merge.
  if (commit === undefined && testedCommit !== undefined && pullRequest !== undefined)
    return { commit: await git.line('rev-parse', '--verify', '--quiet', `${testedCommit}^2`), testedCommit, branch }
  const isHere = commit === undefined && testedCommit === undefined
  return isHere ? { ...(await testedByGit(git, {})), branch } : { commit, testedCommit, branch }
}

/** The checked-out commit, unless tracked files differ from it. */
async function testedByGit(git: Git, { commit }: ReportFlags): Promise<RevisionAnswer> {
  const head = await git.line('rev-parse', '--verify', '--quiet', 'HEAD')
  const branch = (await git.line('symbolic-ref', '--short', '-q', 'HEAD')) || undefined
  const isChanged =
    commit === undefined && ((await git.line('status', '--porcelain', '--untracked-files=no')) ?? '') !== ''
  if (isChanged)
    console.error('specboard: tracked files differ from HEAD, so the report is bound to no commit; --commit names one.')
  return { commit: isChanged ? undefined : head, testedCommit: undefined, branch }
}

interface Commits {
  readonly board_id: string
  readonly repository: string | undefined
  readonly git: Git
  readonly tested: TestedState
}

/**
 * Sends the commits of the push, so that the report finds what they are linked to; if that fails the report is sent
 * anyway.
 */
async function sendCommits(target: KeyedTarget, { board_id, repository, git, tested }: Commits, tries: Tries) {
  if (repository === undefined) return
  try {
    const { commit, base, branch, isFork } = tested
    const pushed = await pushedCommits(git, { commit, base, branch: isFork ? undefined : branch })
    if (pushed === undefined) return
    const body = { repository_id: repository, ...pushed }
    const input = { params: { board_id }, query: {}, body }
    await tries.of(signal => sendJson(target, routeNamed('record_changes'), input, signal))
  } catch (error) {
    console.error(`specboard: the commits of the push were not sent: ${explain(error)}`)
  }
}

interface Report {
  readonly board_id: string
  readonly repository: string | undefined
  readonly files: readonly File[]
  readonly flags: ReportFlags
  readonly tested: TestedState
}

async function sendReport(
  { target, session }: Identity,
  { board_id, repository, files, flags, tested }: Report,
  tries: Tries,
): Promise<SentReport> {
  const query = {
    commit: tested.commit,
    tested_commit: tested.testedCommit,
    branch: tested.branch,
    pull_request: tested.pullRequest,
    name: flags.name,
    // The token of the job identifies the run.
    ci_run: session === undefined ? tested.run : flags.run,
    attempt: session === undefined ? tested.attempt : flags.attempt,
    run_url: tested.url,
    repository_id: session === undefined ? repository : flags.repository,
    for: flags.for,
    format: flags.format,
    preview: flags.preview === true ? true : undefined,
  }
  const answer = await tries.of(signal =>
    send(target, routeNamed('submit_test_report'), { params: { board_id }, query, body: undefined }, { files, signal }),
  )
  return (await answer.json()) as SentReport
}
