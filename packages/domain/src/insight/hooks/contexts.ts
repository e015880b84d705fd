/** The texts for models in the answers to hooks (harness 3.2). */
import { sql } from 'kysely'
import { readCard } from '../../delivery/card-record/store.ts'
import { repositoryAt } from '../../delivery/git/addresses.ts'
import { isInScope, liveScopes, type Scope } from '../../delivery/scopes/store.ts'
import { claimsOn, sessionsOn } from '../../delivery/sessions/store.ts'
import { heldCardsOf } from '../../delivery/workers/store.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { parseJson, parseNullable } from '../../lib/json.ts'
import { repositoryOf } from '../../lib/path-patterns.ts'
import { hot } from '../../schema/hot.ts'
import type { EventsTable } from '../../schema/tables.ts'
import { accessTo, findAll, firstItems, type SourcedItem } from '../inbox/find.ts'
import { findHeld, holdingOf } from '../inbox/holding.ts'
import { itemsOf } from '../inbox/operations.ts'
import { type Item, idOf, type Kind } from '../inbox/rules.ts'
import type { AtEvent, Hints } from './event.ts'
import type { MemoryEntry } from './memory.ts'
import {
  denial,
  editLine,
  heldLine,
  holdsNothing,
  Lines,
  newsLine,
  overlapLine,
  parentLine,
  quotedEnd,
  reminder,
  unknownEnd,
} from './texts.ts'

/** The answer to an event, and what its session should remember of it. */
export interface EventAnswer {
  readonly context: string | null
  readonly deny?: string
  readonly told?: readonly string[]
  readonly memory?: MemoryEntry
}

const silence: EventAnswer = { context: null }

/** The text in the answer of an event, limited to what the caller may read. */
export async function contextOf(ctx: Context, at: AtEvent, hints: Hints = {}): Promise<EventAnswer> {
  if (!at.access.allows('CARDS_READ')) return silence
  switch (at.event) {
    case 'session_start':
      return atStart(ctx, at)
    case 'prompt':
      return atPrompt(ctx, at)
    case 'before_edit':
      return beforeEdit(ctx, at)
    case 'after_shell':
      return afterShell(at, hints)
    case 'stop':
      return atStop(ctx, at)
    case 'subagent_start':
      return atSubagent(ctx, at)
    default:
      return silence
  }
}

/** Cards of the caller that are bound to other sessions than this one. */
async function heldElsewhere(ctx: Context, { session }: AtEvent) {
  const claims = await claimsOn(ctx.db, { agent: ctx.caller.id, board: ctx.boardId, now: ctx.now() })
  return claims.filter(claim => claim.session !== null && claim.session !== session.name)
}

/** Cards that other live sessions of the caller work on, and cards that they worked on and this session did not. */
async function workedOnElsewhere(ctx: Context, at: AtEvent): Promise<ReadonlySet<string>> {
  const { id, memory } = at.session
  const own = new Set(parseJson(memory).cards)
  const sessions = await sessionsOn(ctx.db, { agent: ctx.caller.id, board: ctx.boardId, now: ctx.now() })
  const workedOn = sessions.filter(other => other.id !== id).flatMap(other => parseJson(other.memory).cards ?? [])
  const heldIds = (await heldElsewhere(ctx, at)).map(({ card_id }) => card_id)
  return new Set([...heldIds, ...workedOn.filter(card => !own.has(card))])
}

const refOfItem = ({ record }: Item): string | null => record.ref

/** At the start: how to begin, what is held, what is waiting (harness 3.2, rule 2). */
async function atStart(ctx: Context, at: AtEvent): Promise<EventAnswer> {
  const boards = [at.access]
  const on = accessTo(boards)
  const elsewhere = new Map((await heldElsewhere(ctx, at)).map(claim => [claim.card_id, claim]))
  const own = (await findHeld(ctx, boards)).filter(({ card_id }) => !elsewhere.has(card_id))
  const isBound = new Set(at.bound.map(({ card_id }) => card_id))
  const mine = [
    ...own.filter(({ card_id }) => isBound.has(card_id)),
    ...own.filter(({ card_id }) => !isBound.has(card_id)),
  ]
  const holdings = await holdingOf(ctx, mine.slice(0, maxHeldCards), on)
  const attempts = new Map(
    (await heldCardsOf(ctx.db, { board: ctx.boardId, now: ctx.now() })).map(card => [
      `${card.key}-${card.number}`,
      card.attempts,
    ]),
  )
  const found = (await findAll(ctx, boards)).map(({ from, things }) => ({
    from,
    things: things.filter(({ record }) => !elsewhere.has(record)),
  }))
  const total = found.reduce((sum, { things }) => sum + things.length, 0)
  const first = await itemsOf(ctx, firstItems(found, 'newest', maxItems), boards)

  const key = (await boardKey(ctx.db, { board: ctx.boardId }))[0]?.key ?? ''
  const lines = new Lines(380)
  lines.add(`Specboard, board ${key}: begin with list_my_inbox; a small change is create_card with claim: true.`)
  for (const card of holdings) lines.add(heldLine({ ...card, attempt: (attempts.get(card.ref) ?? 0) + 1 }))
  if (mine.length > holdings.length) lines.add(`And ${mine.length - holdings.length} more: list_my_inbox.`)
  if (elsewhere.size > 0) {
    const refs = [...elsewhere.values()].map(({ ref }) => ref)
    lines.add(`In another session of yours: ${refs.slice(0, 5).join(', ')}${refs.length > 5 ? ', …' : ''}.`)
  }
  const pairs = holdings.flatMap(({ ref, overlaps = [] }) => overlaps.map(overlap => overlapLine(ref, overlap)))
  for (const line of pairs.slice(0, 2)) lines.add(line)
  if (total > 0) {
    for (const item of first)
      lines.add(`- ${item.kind} ${refOfItem(item) ?? item.record.entity_type}: ${item.operation}`)
    lines.add(total > first.length ? `${total} items wait in all: list_my_inbox.` : `${total} waits in all.`)
  }
  const [noted] = holdings.filter(({ checkpoint }) => checkpoint !== null && checkpoint !== '')
  if (noted !== undefined) {
    const frame = `Checkpoint of ${noted.ref}, as its holder wrote it: `
    const end = quotedEnd(noted.checkpoint!, 600, lines.remaining - frame.length / 2 - 4)
    if (end !== null) lines.add(frame + end)
  }
  const ids = first.map(({ id }) => id)
  return { context: lines.text, told: ids, ...(ids.length > 0 && { memory: { told: first.map(keyOfItem) } }) }
}

const maxHeldCards = 5
const maxItems = 3

const boardKey = hot<{ board: string }, { key: string }>(
  (_, param) => sql<{ key: string }>`select key from boards where id = ${param('board')}`,
)

/** The messages to a session between its turns (harness 3.2, rule 3). */
const newsKinds: ReadonlySet<Kind> = new Set(['answer', 'claim_lost', 'card_changed', 'overlap', 'card_rework'])

const keyOfItem = ({ id, since }: Pick<Item, 'id' | 'since'>): string => `${id}@${since}`

/** News about the session that it has not received yet (harness 3.2, rule 3). */
async function atPrompt(ctx: Context, at: AtEvent): Promise<EventAnswer> {
  const boards = [at.access]
  const memory = parseJson(at.session.memory)
  const delivered = new Set(memory.told)
  const elsewhere = await workedOnElsewhere(ctx, at)
  const isNew = (thing: SourcedItem) => !delivered.has(keyOfItem({ id: idOf(thing), since: thing.since }))
  const found = await findAll(ctx, boards, { kinds: newsKinds })
  const things = firstItems(found, 'oldest', Number.MAX_SAFE_INTEGER).filter(
    thing => isNew(thing) && !elsewhere.has(thing.record),
  )
  if (things.length === 0) return silence
  const items = await itemsOf(ctx, things.slice(0, maxNews), boards)
  const lines = new Lines(115)
  const added = items.filter(item => lines.add(newsLine({ ...item, ref: refOfItem(item) })))
  return { context: lines.text, told: added.map(({ id }) => id), memory: { told: added.map(keyOfItem) } }
}

const maxNews = 10

const hourMs = 3_600_000

/**
 * A path in the form in which paths are compared: relative to the root of its repository; null for a path outside of
 * it.
 */
const insidePath = (path: string): string | null => {
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
  const isOutside =
    plain.startsWith('/') || plain.startsWith('~') || /^[A-Za-z]:/.test(plain) || plain.split('/').includes('..')
  return isOutside || plain === '' ? null : plain
}

/** Files that another agent works on (harness 3.2, rule 4). */
async function beforeEdit(ctx: Context, { report, session, bound, access }: AtEvent): Promise<EventAnswer> {
  const paths = [...new Set((report.paths ?? []).flatMap(path => insidePath(path) ?? []))]
  if (paths.length === 0) return silence
  const { edit_guard } = await boardSettings(ctx.db, ctx.boardId)
  const isOwn = (scope: Scope) =>
    scope.agent_id === ctx.caller.id && (scope.session === null || scope.session.id === session.name)
  const others =
    edit_guard === 'off' ? [] : (await liveScopes(ctx.db, ctx.boardId, ctx.now())).filter(scope => !isOwn(scope))
  // The repository only matters if the paths of somebody else are limited to one.
  const isBound = others.some(
    ({ repository, patterns }) => repository !== null || patterns.some(one => repositoryOf(one) !== null),
  )
  const repository = isBound ? ((await repositoryAt(ctx.db, ctx.boardId, report.repository))?.name ?? null) : null
  const matches = paths.flatMap(path =>
    others.filter(scope => isInScope(scope, { path, repository })).map(scope => ({ path, scope })),
  )
  const [first] = matches
  if (first !== undefined && edit_guard === 'deny')
    return { context: null, deny: denial({ path: first.path, ...first.scope }) }

  const memory = parseJson(session.memory)
  const keyOfEdit = ({ path, scope }: (typeof matches)[number]) => `${path} ${scope.id}`
  const now = Date.parse(ctx.now())
  const due = matches.filter(match => {
    const at = memory.edits?.[keyOfEdit(match)]
    return at === undefined || now - Date.parse(at) >= hourMs
  })
  const lines = new Lines(76)
  const added = due.filter(match => lines.add(editLine({ path: match.path, ...match.scope })))
  const edits = Object.fromEntries(added.map(match => [keyOfEdit(match), ctx.now()]))
  const isIdle = bound.length === 0 && access.allows('CARDS_CLAIM') && !(memory.told ?? []).includes(idleMark)
  const holdsAny =
    isIdle && (await claimsOn(ctx.db, { agent: ctx.caller.id, board: ctx.boardId, now: ctx.now() })).length > 0
  const hints = isIdle && !holdsAny && lines.add(holdsNothing) ? [idleMark] : []
  if (added.length + hints.length === 0) return silence
  return { context: lines.text, memory: { edits, told: hints } }
}

const idleMark = 'holds nothing'
const unknownMark = 'end unknown'

/** Once per session: how to prove a run whose end was not seen (harness 3.2, rule 5). */
function afterShell({ report, session, bound }: AtEvent, { endUnknown = false }: Hints): EventAnswer {
  const [claim] = bound
  if (!endUnknown || claim === undefined || report.command == null) return silence
  if ((parseJson(session.memory).told ?? []).includes(unknownMark)) return silence
  return { context: unknownEnd(claim.ref, report.command), memory: { told: [unknownMark] } }
}

type Deed = Pick<EventsTable, 'action' | 'details'>

const deedsOn = hot<{ card: string; agent: string; since: string }, Deed>((db, param) =>
  db
    .selectFrom('events')
    .select(['action', 'details'])
    .where('card_id', '=', param('card'))
    .where('actor_id', '=', param('agent'))
    .where('created_at', '>=', param('since')),
)

/** Whether an entry of the holder reports progress: anything but its claim, its own start and automatic notes. */
function isProgress({ action, details }: Deed): boolean {
  if (action === null) return false
  const parsed = parseNullable(details) as Readonly<Record<string, unknown>> | null
  if (action === 'checkpoint_saved') return parsed?.text !== undefined
  if (action === 'card_moved') return parsed?.to_status !== 'started'
  return /^(?:comment_added|choice_answered|card_question_added|card_question_answered|question_added|question_answered)$/.test(
    action,
  )
}

/** Once per claim: that nothing has been noted on a card since it was taken (harness 3.2, rule 7). */
async function atStop(ctx: Context, { report, session, bound }: AtEvent): Promise<EventAnswer> {
  if (report.stop_active === true || report.background === true) return silence
  const { stop_claim } = await boardSettings(ctx.db, ctx.boardId)
  if (stop_claim !== 'remind') return silence
  const marks = new Set(parseJson(session.memory).told)
  for (const { card_id, ref, stage, agent_id, claimed_at } of bound) {
    const mark = `stop ${card_id} ${claimed_at}`
    if (stage !== 'work' || marks.has(mark)) continue
    const deeds = await deedsOn(ctx.db, { card: card_id, agent: agent_id, since: claimed_at })
    if (!deeds.some(isProgress)) return { context: reminder(ref), memory: { told: [mark] } }
  }
  return silence
}

/** What a subagent's parent works on (harness 3.2, rule 8). */
async function atSubagent(ctx: Context, { bound }: AtEvent): Promise<EventAnswer> {
  const [claim] = bound
  if (claim === undefined) return silence
  const { ref, title, status, paths } = await readCard(ctx.db, claim.card_id)
  return { context: parentLine({ ref, title, status }, paths) }
}
