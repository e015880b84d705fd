/**
 * Builds the report that a hook sends to the service about an event: it never contains a prompt, an answer, file
 * contents or any other command (harness 3.1).
 */
import { withoutSecrets } from '../frame/secrets.ts'
import { type ClientName, endOf } from './exit-code.ts'
import type { Fields, HookInput } from './inputs.ts'
import { sha256 } from './sha256.ts'
import type { SessionState } from './state.ts'
import { testRunIn } from './test-run.ts'
import { factsOf, pathsIn, type WorkTree } from './work-tree.ts'

/** The facts from which an event is reported. */
export interface HookFacts {
  readonly event: string
  readonly client: ClientName
  readonly raw: Fields
  readonly input: HookInput
  readonly cwd: string
  readonly tree: WorkTree | undefined
  readonly board: string | undefined
  /** `hooks` in the project's file. */
  readonly options: Fields
  readonly session: SessionState
  readonly transcript: () => string | undefined
}

/** The body of a report; undefined if an event is not reported. */
export function reportOf(facts: HookFacts): Record<string, unknown> | undefined {
  const { client, input, tree, board } = facts
  const more = ofEvent(facts)
  if (more === undefined || input.session === undefined || input.session.length > 200) return undefined
  return {
    session: input.session,
    client,
    ...withoutUndefined({
      client_version: short(input.clientVersion, 40),
      subagent: short(input.subagent, 200),
      model: short(input.model, 200),
      board_id: board,
    }),
    ...(tree !== undefined && factsOf(tree)),
    ...more,
  }
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const short = (text: string | undefined, max: number): string | undefined => text?.slice(0, max).toWellFormed()

/** A client's code for a reason; free text by a person or a model is not one. */
const wordOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.-]{1,40}$/.test(text) ? text : undefined

function ofEvent(facts: HookFacts): Fields | undefined {
  const { event, input, cwd, tree } = facts
  switch (event) {
    case 'session_start':
      return withoutUndefined({ source: wordOf(input.source) })
    case 'session_end':
      return withoutUndefined({ reason: wordOf(input.reason) })
    case 'stop':
      return withoutUndefined({
        reason: wordOf(input.reason),
        stop_active: input.stopActive,
        background: input.background,
      })
    case 'before_edit': {
      const paths = tree === undefined ? [] : pathsIn(tree, cwd, input.files)
      return paths.length === 0 ? undefined : { paths }
    }
    case 'before_shell':
    case 'after_shell':
      return ofShell(facts)
    case 'claimed':
      return input.claimed.length === 0 ? undefined : { claimed: input.claimed }
    case 'before_compact':
      return withoutUndefined({ note: noteOf(facts), source: wordOf(input.source) })
    default:
      return {}
  }
}

/** What can be reported without reading texts (harness 3.2, rule 6). */
function noteOf({ tree, session }: HookFacts): string | undefined {
  const { branch, commit } = tree === undefined ? {} : (factsOf(tree) as { branch?: string; commit?: string })
  const lines = [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(commit === undefined ? [] : [`head ${commit.slice(0, 12)}`]),
    ...(session.edited?.length ? [`edited ${session.edited.join(', ')}`] : []),
    ...(session.lastRun === undefined ? [] : [`last test run: ${session.lastRun}`]),
  ]
  return lines.length === 0 ? undefined : short(lines.join('; '), 2_000)
}

/** Maximum number of bytes of an output that are sent. */
const tailBytes = 2_048

function ofShell({ event, client, raw, input, options, transcript }: HookFacts): Fields | undefined {
  const { command, output } = input
  const patterns = Array.isArray(options.tests) ? options.tests.filter(pattern => typeof pattern === 'string') : []
  const run = command === undefined ? undefined : testRunIn(command, patterns)
  if (command === undefined || run === undefined) return undefined
  const facts = withoutUndefined({
    command: short(withoutSecrets(command, run.secrets), 2_000),
    tool_call: input.toolCall !== undefined && input.toolCall.length <= 200 ? input.toolCall : undefined,
  })
  if (event === 'before_shell') return facts
  const end = endOf(client, raw, transcript)
  const isTimeout = run.mayTimeOut && 'exit_code' in end && [124, 137].includes(end.exit_code)
  const result = isTimeout
    ? { unknown: 'it may have timed out' }
    : 'exit_code' in end && !run.counts
      ? { unknown: 'the exit code of the command is not that of the tests' }
      : end
  return {
    ...facts,
    ...('exit_code' in result ? result : { exit_code: null, ...result }),
    ...(input.durationMs !== undefined && { duration_ms: Math.round(input.durationMs) }),
    ...(output !== undefined &&
      options.shell_output !== 'off' &&
      outputOf(output, run.secrets, options.shell_output !== 'digest')),
  }
}

function outputOf(output: string, secrets: readonly string[], withTail: boolean): Fields {
  const bytes = Buffer.from(output)
  const masked = Buffer.from(withoutSecrets(output, secrets))
  let from = Math.max(0, masked.length - tailBytes)
  // Does not split a character.
  while (from < masked.length && (masked[from]! & 0xc0) === 0x80) from++
  const tail = masked.toString('utf8', from)
  return {
    output_sha256: sha256(bytes),
    output_bytes: bytes.length,
    ...(withTail && { output_tail: tail.toWellFormed() }),
  }
}
