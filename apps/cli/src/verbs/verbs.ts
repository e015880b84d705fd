/** The verbs for people, and for agents without MCP (crew 10): short output by reference. */
import { boardChosen } from '../frame/board.ts'
import { Failure } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { RefusalError } from '../frame/send.ts'
import { ownSession } from '../frame/session.ts'
import { type KeyedTarget, keyed, type Target, type TargetFlags } from '../frame/target.ts'
import { callTool, readPage, type ToolTarget, type ToolValue } from '../frame/tool.ts'
import { UsageError } from '../frame/usage-error.ts'
import { dropClaim, noteClaim } from '../git/note-claim.ts'
import { linesOf, partNamed, readPart } from './parts.ts'

/** The flags of every verb. */
export interface VerbFlags extends TargetFlags {
  readonly board?: string
  readonly json?: boolean
}

/** Prints the result of a verb: a line for people, or the value for machines. */
function say(flags: VerbFlags, value: unknown, line: string): void {
  if (flags.json) printJson(value)
  else console.log(line)
}

/** Where a verb calls tools: machines get their lean values (crew 8, 10). */
const asking = (to: Target, { json }: VerbFlags): ToolTarget => ({ ...keyed(to), answers: json ? 'lean' : 'whole' })

/** The id of a verb's board: the given one, otherwise that of the project. */
async function boardOf(target: KeyedTarget, { board }: VerbFlags): Promise<string> {
  return (await boardChosen(target, board)).id
}

const textIn = (value: ToolValue, name: string): string => (typeof value[name] === 'string' ? value[name] : '')

/** The reference in a value: lean ones have it as their id. */
const refIn = (value: ToolValue): string => textIn(value, 'ref') || textIn(value, 'id')

const itemsIn = (value: ToolValue): readonly ToolValue[] => (value.items ?? []) as readonly ToolValue[]

/** The arguments that were given. */
const withoutUndefined = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))

/** The flags of `specboard add`. */
export interface AddFlags extends VerbFlags {
  readonly bug?: boolean
  readonly expected?: string
  readonly observed?: string
  readonly check?: string
  readonly spec?: string
  readonly take?: boolean
}

/** `specboard add`: creates a card on a spec, or a small change that needs none; prints its reference. */
export async function add(title: string, flags: AddFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const value = await callTool(
    target,
    'create_card',
    withoutUndefined({
      board_id: await boardOf(target, flags),
      title,
      card_type: flags.bug ? 'bug' : undefined,
      expected_behavior: flags.expected,
      observed_behavior: flags.observed,
      check: flags.check,
      spec_id: flags.spec,
      claim: flags.take,
      ...(flags.take && ownSession()),
    }),
  )
  const ref = refIn(value)
  if (flags.take) await noteClaim(process.cwd(), ref)
  say(flags, value, flags.take ? `${ref} yours` : ref)
  return 0
}

/** The flags of `specboard ready`. */
export interface ReadyFlags extends VerbFlags {
  readonly for?: string
  readonly wait?: string
}

/** How long one call waits for something to happen, ms. */
const waitMs = 25_000

/** `specboard ready`: the cards that may be taken, one line each, with those already held first. */
export async function ready(flags: ReadyFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const board_id = await boardOf(target, flags)
  const end = Date.now() + secondsIn(flags.wait) * 1_000
  const list = () => callTool(target, 'list_ready_cards', withoutUndefined({ board_id, for: flags.for }))
  let { last_sequence: after } = await callTool(target, 'list_board_events', { board_id, order: 'desc', limit: 1 })
  let value = await list()
  while (itemsIn(value).length === 0 && Date.now() < end) {
    const remainingMs = Math.max(1, Math.min(waitMs, end - Date.now()))
    const page = await callTool(target, 'list_board_events', { board_id, after, wait_ms: Math.round(remainingMs) })
    after = page.last_sequence
    value = await list()
  }
  say(flags, value, itemsIn(value).map(readyLine).join('\n') || 'nothing is ready')
  return 0
}

const readyLine = (card: ToolValue): string =>
  [textIn(card, 'ref'), textIn(card, 'why') || 'ready', textIn(card, 'title')].join('  ')

function secondsIn(text = '0'): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--wait must be a number of seconds, not "${text}".`)
  return Number(text)
}

/** The flags of `specboard take`. */
export interface TakeFlags extends VerbFlags {
  readonly wait?: string
}

/** `specboard take`: claims and starts a card, by default the next one; prints what the work needs. */
export async function take(ref: string | undefined, flags: TakeFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const value =
    ref === undefined
      ? await callTool(target, 'claim_next_card', {
          board_id: await boardOf(target, flags),
          start: true,
          wait_ms: Math.min(600, secondsIn(flags.wait)) * 1_000,
          ...ownSession(),
        })
      : await callTool(target, 'claim_card', { card_id: ref, start: true, ...ownSession() })
  const claim = (ref === undefined ? value.claim : value) as ToolValue | null | undefined
  const card = (value.card ?? {}) as ToolValue
  const cardRef = claim === null || claim === undefined ? undefined : textIn(claim, 'card_ref') || refIn(card) || ref
  if (cardRef === undefined) {
    say(flags, value, `nothing to take${waitingLine(value.waiting)}; see specboard ready`)
    return 1
  }
  await noteClaim(process.cwd(), cardRef)
  say(flags, value, `${cardRef} yours until ${textIn(claim!, 'expires_at')}`)
  if (!flags.json) console.log(await readPage(target, `specboard://cards/${cardRef}`))
  return 0
}

/** What cards wait for, such as `: 2 dependencies`. */
function waitingLine(waiting: unknown): string {
  const counts = Object.entries((waiting ?? {}) as Record<string, unknown>).filter(
    ([, count]) => typeof count === 'number' && count > 0,
  )
  return counts.length === 0 ? '' : `: ${counts.map(([why, count]) => `${count} ${why}`).join(', ')}`
}

/** The kinds of record that have a page, with its path. */
const pages: Readonly<Record<string, string>> = {
  ideation: 'ideations',
  refinement: 'refinements',
  spec: 'specs',
  sprint: 'sprints',
  card: 'cards',
}

/** The record that a reference names. */
async function recordNamed(target: ToolTarget, ref: string): Promise<ToolValue> {
  const found = itemsIn(await callTool(target, 'search_records', { q: ref, limit: 1 }))[0]
  if (found === undefined || (refIn(found) !== ref.toUpperCase() && found.id !== ref))
    throw new Failure('NOT_FOUND', `There is no record ${ref} that this key sees. "specboard log" shows what there is.`)
  return found
}

/** `specboard show`: the page of a record, as agents read it, or one of its parts. */
export async function show(ref: string, flags: VerbFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const part = partNamed(ref)
  if (part !== undefined) {
    const value = await readPart(target, part, textIn(await recordNamed(target, part.record), 'entity_type'))
    say(flags, value, linesOf(value))
    return 0
  }
  const record = await recordNamed(target, ref)
  const kind = textIn(record, 'entity_type')
  const folder = pages[kind]
  const page = folder === undefined ? undefined : await readPage(target, `specboard://${folder}/${refIn(record)}`)
  say(flags, page === undefined ? record : { ...record, page }, page ?? `${kind} ${textIn(record, 'title')}`)
  return 0
}

/** The code of a refusal. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof RefusalError ? (error.answer as { detail?: { error?: string } } | null)?.detail?.error : undefined

/** `specboard note`: saves a checkpoint of a held card, otherwise a comment on it. */
export async function note(ref: string, text: string, flags: VerbFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  try {
    const value = await callTool(target, 'save_checkpoint', { card_id: ref, text })
    say(flags, value, `${ref} checkpoint saved`)
  } catch (error) {
    if (codeOf(error) !== 'NOT_CLAIMED' && codeOf(error) !== 'CLAIMED') throw error
    const value = await callTool(target, 'create_comment', { card_id: ref, content: text })
    say(flags, value, `${ref} comment added`)
  }
  return 0
}

/** `specboard ask`: asks a question about a record; prints how to answer it. */
export async function ask(ref: string, text: string, flags: VerbFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const value = await callTool(target, 'ask_question', { record: ref, question: text })
  say(flags, value, `asked; answer it with: specboard answer ${refIn(value)} TEXT`)
  return 0
}

/** `specboard answer`: answers a question, by its id or as REF.q2. */
export async function answer(question: string, text: string, flags: VerbFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const value = await callTool(target, 'answer_question', { question_id: question, answer: text })
  say(flags, value, 'answered')
  return 0
}

/** The flags of `specboard done`. */
export interface DoneFlags extends VerbFlags {
  readonly check?: string
  readonly completeness?: string
  readonly completenessJustification?: string
  readonly drift?: string
  readonly driftJustification?: string
}

/** The refusals for which a card goes to `validation` instead of `done`. */
const needsVerdict: ReadonlySet<string> = new Set(['VALIDATION_REQUIRED', 'PERSON_REQUIRED', 'REVIEWER_NOT_SEPARATE'])

/** `specboard done`: moves the card to done, or to validation if necessary; says which. */
export async function done(ref: string, conclusion: string, flags: DoneFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const report = withoutUndefined({
    conclusion,
    check: flags.check,
    completeness: flags.completeness === undefined ? undefined : Number(flags.completeness),
    completeness_justification: flags.completenessJustification,
    drift: flags.drift === undefined ? undefined : Number(flags.drift),
    drift_justification: flags.driftJustification,
  })
  const move = (target_status: string) => callTool(target, 'move_card', { card_id: ref, target_status, ...report })
  try {
    say(flags, await move('done'), `${ref} done`)
  } catch (error) {
    if (!needsVerdict.has(codeOf(error) ?? '')) throw error
    say(flags, await move('validation'), `${ref} validation: it waits for a verdict`)
  }
  await dropClaim(process.cwd(), ref)
  return 0
}

/** The flags of `specboard block`. */
export interface BlockFlags extends VerbFlags {
  readonly on?: string
}

/** `specboard block`: makes the card wait for another one, or puts it on hold with the text as a comment. */
export async function block(ref: string, text: string | undefined, flags: BlockFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  if (flags.on === undefined && text === undefined)
    throw new UsageError('What blocks it? Name a card with --on, or say why: specboard block PRO-1 "waits for …".')
  const value =
    flags.on === undefined
      ? await callTool(target, 'move_card', { card_id: ref, target_status: 'on_hold' })
      : await callTool(target, 'add_card_dependency', { card_id: ref, depends_on_id: flags.on })
  if (text !== undefined) await callTool(target, 'create_comment', { card_id: ref, content: text })
  say(flags, value, flags.on === undefined ? `${ref} on hold` : `${ref} waits for ${flags.on}`)
  return 0
}

/** The flags of `specboard log`. */
export interface LogFlags extends VerbFlags {
  readonly since?: string
}

/** How many events `specboard log` prints. */
const maxEvents = 20

/** `specboard log`: the latest events of the board or of one record, one line each, newest first. */
export async function log(ref: string | undefined, flags: LogFlags, to: Target): Promise<number> {
  const target = asking(to, flags)
  const board = flags.board ?? (ref === undefined ? undefined : ref.replace(/-\d+$/, ''))
  const value = await callTool(
    target,
    'list_board_events',
    withoutUndefined({
      board_id: await boardOf(target, { ...flags, ...(board !== undefined && { board }) }),
      entity_id: ref,
      since: flags.since,
      order: 'desc',
      limit: maxEvents,
    }),
  )
  const events = (value.events ?? []) as readonly ToolValue[]
  say(flags, value, events.map(eventLine).join('\n') || 'nothing happened')
  return 0
}

const eventLine = (event: ToolValue): string =>
  [
    textIn(event, 'at').slice(0, 16),
    textIn(event, 'ref') || textIn(event, 'entity_type'),
    textIn(event, 'action'),
    textIn(event, 'actor_name'),
  ].join('  ')
