/** The lean form of an answer: what a model could not know, and nothing twice (crew 8.3-8.7). */
import { type AnyOperation, ItemChanges } from '@specboard/contract'
import { z } from 'zod'
import { answersAsRead } from '../tools/answers.ts'
import { core } from '../tools/lean-schema.ts'
import { compact, cut, withShortTexts } from './compact.ts'
import { eventLines } from './event-line.ts'
import { isObject, type JsonObject } from './lean-value.ts'
import type { Arguments } from './read-arguments.ts'

/** The call whose answer is made lean. */
export interface LeanCall {
  readonly operation: AnyOperation
  /** The arguments as sent. */
  readonly given: Arguments
  /** The id of the agent that reads the answer. */
  readonly callerId: string
  /** Whether complete items were requested. */
  readonly full: boolean
}

/** The maximum characters of a title in a line. */
const titleLength = 120

/** Members that are left out if they have their usual value; the instructions mention this once. */
const usual: Readonly<Record<string, unknown>> = {
  actor_type: 'agent',
  actor_via: 'key',
  agent_kind: 'agent',
  allow_free_text: false,
  archived: false,
  blocked: false,
  card_type: 'normal',
  change_state: 'none',
  checks_state: 'none',
  comment_type: 'text',
  evaluator_type: 'agent',
  imported: false,
  locked: false,
  present: false,
  priority: 'none',
  question_type: 'text',
  ready: false,
  skip_contract_coverage: false,
  skip_decisions_coverage: false,
  skip_qualitative_validation: false,
  skip_rules_coverage: false,
  skip_test_coverage: false,
  skip_trs_coverage: false,
  stale: false,
  standing: false,
}

/** Members with counts, which are left out if they are 0. */
const counting =
  /_count$|^(?:blocked_by|cards_done|cards_total|failed|lost|open_questions|rejections|unblocks|unchanged|used)$/

/** Members that repeat another member of the same object. */
const aliases: Readonly<Record<string, string>> = {
  evaluator_id: 'reviewer_id',
  evaluator_name: 'reviewer_name',
  general_justification: 'summary',
  submitted_at: 'created_at',
  submitted_by: 'reviewer_id',
  type: 'card_type',
  validation_id: 'id',
}

/** Members that are useless to a worker: positions in columns, and the digest of a verdict. */
const needless: ReadonlySet<string> = new Set(['position', 'verdict'])

/** Members that identify a record, and so its board. */
const namesRecord = ['ref', 'card_id', 'spec_id', 'ideation_id', 'refinement_id', 'sprint_id'] as const

const namesRecordIn = (object: JsonObject): boolean => namesRecord.some(name => Object.hasOwn(object, name))

const isUsual = (key: string, value: unknown): boolean =>
  value === '' || (Object.hasOwn(usual, key) ? usual[key] === value : value === 0 && counting.test(key))

function isRedundantIn(key: string, value: unknown, among: JsonObject): boolean {
  if (needless.has(key)) return true
  if (key === 'preset_id') return typeof among.preset_name === 'string'
  if (key === 'board_id') return namesRecordIn(among)
  const alias = Object.hasOwn(aliases, key) ? aliases[key]! : undefined
  return alias !== undefined && among[alias] === value
}

const isClaim = (value: JsonObject): boolean => 'stage' in value && 'expires_at' in value

/** An overlap as a claim or a written card shows it: who works on which of the same paths until when (crew 8.7). */
const overlapLine = ({ ref, reservation_id, title, agent_name, until, mine, theirs, example }: JsonObject) => ({
  ...(ref === undefined ? { reservation_id } : { ref }),
  ...(typeof title === 'string' && { title: cut(title, titleLength) }),
  ...{ who: agent_name, until, mine, theirs, example },
})

const overlapLines = ({ overlaps }: JsonObject): JsonObject =>
  Array.isArray(overlaps) ? { overlaps: overlaps.map(one => (isObject(one) ? overlapLine(one) : one)) } : {}

/** A claim as shown in every answer; its holder only if that is another agent (crew 8.7). */
const claimLine = (claim: JsonObject, callerId: string): JsonObject => {
  const { expires_at, stage, note, agent_id, agent_name } = claim
  return {
    until: expires_at,
    stage,
    ...(note !== undefined && { note }),
    ...(agent_id !== callerId && { who: agent_name ?? agent_id }),
    ...overlapLines(claim),
  }
}

const milliseconds = /\.\d{3}Z$/
const anyMilliseconds = /\.\d{3}Z/g

const isTime = (key: string): boolean => key.endsWith('_at') || key === 'since' || key === 'at' || key === 'oldest'

/** A value without meaningless members; times without milliseconds. */
function trimmed(value: unknown, key: string, callerId: string): unknown {
  if (key === 'message' && typeof value === 'string') return value.replaceAll(anyMilliseconds, 'Z')
  if (typeof value === 'string') return isTime(key) ? value.replace(milliseconds, 'Z') : value
  if (Array.isArray(value)) return value.map(item => trimmed(item, key, callerId))
  if (!isObject(value)) return value
  // In a list of claims nothing else names the card.
  const listed = key === 'items' && { card_id: value.card_id }
  const object = isClaim(value) ? { ...listed, ...claimLine(value, callerId) } : value
  const members = Object.entries(object)
    .filter(([name, member]) => !isUsual(name, member) && !isRedundantIn(name, member, object))
    .map(([name, member]) => [name, memberOf(name, member, callerId)] as const)
    .filter(([name, member]) => name !== 'attempts' || !isObject(member) || member.used !== undefined)
  return Object.fromEntries(members)
}

/** A member of an object; the arguments of a suggested call stay as they have to be sent. */
function memberOf(name: string, member: unknown, callerId: string): unknown {
  if (name === 'arguments' && isObject(member)) return member
  return trimmed(member, name === 'until' ? 'until_at' : name, callerId)
}

/** Whether an item of a list names the call that settles it, as those of an inbox do. */
const namesCall = (item: JsonObject): boolean => typeof item.operation === 'string' && isObject(item.arguments)

/** An item that names a call: what it is about with texts cut, its call as it has to be sent. */
const callLine = (item: JsonObject): JsonObject => ({ ...withShortTexts(item), arguments: item.arguments })

/** An item of a list: a line of a record, or what else it is in its compact form (crew 8.5). */
function lineOfItem(item: unknown, callerId: string): unknown {
  if (!isObject(item)) return item
  if (isRecord(item)) return lineOf(item, callerId)
  return namesCall(item) ? callLine(item) : compact(item)
}

/**
 * The members of a card, a spec and the like in a line of a list; everything else is read with an operation of its own
 * (crew 8.5).
 */
const lineMembers: ReadonlySet<string> = new Set([
  ...['id', 'ref', 'title', 'status', 'priority', 'labels', 'blocked_by', 'attempts', 'archived', 'due_date'],
  ...['complexity', 'cards_total', 'cards_done', 'why', 'overlaps', 'proof', 'change_state', 'checks_state', 'partial'],
  ...['entity_type', 'parent', 'excerpt'],
])

function lineOf(record: JsonObject, callerId: string): JsonObject {
  const { claim, assignee_id, assignee_name, title } = record
  const holder = isObject(claim) && isClaim(claim) ? claimLine(claim, callerId) : undefined
  const who = holder?.who ?? (holder !== undefined ? callerId : (assignee_name ?? assignee_id))
  return {
    ...Object.fromEntries(Object.entries(record).filter(([name]) => lineMembers.has(name))),
    ...(typeof title === 'string' && { title: cut(title, titleLength) }),
    ...(who !== undefined && { who }),
    ...(holder !== undefined && { until: holder.until }),
  }
}

/** Whether an item of a list is a record that has a reference and a status. */
const isRecord = (item: unknown): item is JsonObject =>
  isObject(item) && 'ref' in item && 'status' in item && 'title' in item

/** The columns of a board, with one line a card (crew 1.7). */
const columnsOf = (columns: JsonObject, callerId: string): JsonObject =>
  Object.fromEntries(
    Object.entries(columns).map(([status, column]) => {
      const cards = isObject(column) && Array.isArray(column.cards) ? column.cards : undefined
      const lines = cards?.map(card => (isRecord(card) ? lineOf(card, callerId) : card))
      return [status, lines === undefined ? column : { ...(column as JsonObject), cards: lines }]
    }),
  )

/** The members of a written record in the answer: its identity, and what the service set. */
const writtenMembers: ReadonlySet<string> = new Set([
  ...['id', 'ref', 'status', 'rev', 'claim', 'attempts', 'complexity', 'locked', 'archived', 'changed_since_validated'],
  ...['repeated', 'next', 'next_actions', '_warnings', '_hint', 'more', 'truncated', 'hidden', 'work', 'proof'],
])

/** Whether an operation answers the record that it writes. */
function writesRecord({ response }: AnyOperation): boolean {
  const shape = response === undefined ? undefined : core(response)
  return shape instanceof z.ZodObject && Object.hasOwn(shape.shape, 'rev') && Object.hasOwn(shape.shape, 'ref')
}

/** Times that equal the present, and the author, which is the caller. */
const now: ReadonlySet<string> = new Set([
  ...['created_at', 'updated_at', 'moved_at', 'claimed_at', 'renewed_at', 'submitted_at', 'answered_at'],
  ...['created_by', 'moved_by', 'active'],
])

/** Members that were already stored, which the answer of a write does not repeat. */
const stored: ReadonlySet<string> = new Set([
  ...['given', 'when', 'then', 'notes', 'scenario_type', 'linked_criteria', 'linked_task_ids', 'version', '_omitted'],
])

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/**
 * Members that the caller of a write already knows: what it sent, that it is the author, and that it is now (crew 8.3).
 */
function isEcho(key: string, among: JsonObject, { given, callerId }: LeanCall): boolean {
  const value = among[key]
  if (key === 'id') return false
  if (now.has(key) || stored.has(key) || value === callerId) return true
  if (key.endsWith('_name') && among[`${key.slice(0, -'_name'.length)}_id`] === callerId) return true
  if (key.endsWith('_count')) return Array.isArray(given[key.slice(0, -'_count'.length)])
  if (key.endsWith('_id') && Object.hasOwn(given, 'record') && given.record === value) return true
  const argName = Object.hasOwn(given, key) ? key : Object.hasOwn(aliases, key) ? aliases[key]! : undefined
  return argName !== undefined && Object.hasOwn(given, argName) && isSame(given[argName], value)
}

/** Whether a member follows from another part of the answer. */
function follows(key: string, among: JsonObject): boolean {
  const { card, move, resolved_thresholds } = among
  if (key === 'resolved_thresholds') return !isObject(resolved_thresholds) || among.threshold_violations === undefined
  if (key === 'recommendation') return among.outcome !== undefined || among.card_status !== undefined
  return key === 'move' && isObject(card) && isObject(move) && card.status === move.to_status
}

function withoutEcho(value: JsonObject, call: LeanCall): JsonObject {
  if (isClaim(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isEcho(key, value, call) && !follows(key, value))
      .map(([key, member]) => [key, isObject(member) ? withoutEcho(member, call) : member]),
  )
}

/** The changes of a spec's items without the texts that were sent: for new items their ids. */
const changesOf = ({ added, ...changes }: JsonObject): JsonObject => ({
  ...changes,
  ...(Array.isArray(added) && { added: added.flatMap(one => (isObject(one) && one.id !== undefined ? [one.id] : [])) }),
})

/**
 * A blocker without the board, which is the record's, without its status if that is shown above it, and without its
 * message if it is a claim: the claim and the next call say the same.
 */
function blockerOf({ status, board_id: _, message, ...blocker }: JsonObject, record: JsonObject): JsonObject {
  return {
    ...(message !== undefined && !isObject(blocker.claim) && { message }),
    ...blocker,
    ...(status !== undefined && status !== record.status && { status }),
  }
}

const nameOf = ({ to, operation }: JsonObject): JsonObject => (to === undefined ? { operation } : { to })

/**
 * The moves of a record with each blocker once, listed with the moves that it blocks; an open move has no state (crew
 * 8.7).
 */
function movesOf(value: JsonObject): JsonObject {
  const blockers = new Map<string, { readonly id: string; readonly blocker: unknown }>()
  const idOf = (blocker: unknown): string => {
    const text = JSON.stringify(blocker)
    const existing = blockers.get(text)
    if (existing !== undefined) return existing.id
    const id = `b${blockers.size + 1}`
    blockers.set(text, { id, blocker })
    return id
  }
  const shortened = (member: unknown): unknown =>
    Array.isArray(member)
      ? member.map(entry => {
          if (!isObject(entry)) return entry
          const { gates: _, blockers: ownBlockers, state, missing, ...others } = entry
          // A caller that may not call it at all needs to know neither what it asks for nor what else blocks it.
          if (state === 'forbidden') return { ...nameOf(entry), permission: others.permission, state }
          const { asks, effects, ...visible } = others
          const otherEffects = Array.isArray(effects) ? effects.filter(effect => effect !== 'claim_ends') : []
          return {
            ...visible,
            // What an operation asks for is only shown once it is not blocked.
            ...(asks !== undefined && state !== 'blocked' && { asks }),
            ...(otherEffects.length > 0 && { effects: otherEffects }),
            // An open one needs no state; a blocked one lists what blocks it instead.
            ...(state !== 'open' &&
              !(state === 'blocked' && Array.isArray(ownBlockers) && ownBlockers.length > 0) && { state }),
            ...(missing !== undefined && !isSame(missing, [others.permission]) && { missing }),
            ...(Array.isArray(ownBlockers) && { blockers: ownBlockers.map(idOf) }),
          }
        })
      : member
  const { moves, operations, entity_type: _, entity_id: __, ...others } = value
  const result = {
    ...others,
    ...(moves !== undefined && { moves: shortened(moves) }),
    ...(operations !== undefined && { operations: shortened(operations) }),
  }
  const all = Object.fromEntries(
    [...blockers.values()].map(({ id, blocker }) => [id, isObject(blocker) ? blockerOf(blocker, value) : blocker]),
  )
  return blockers.size === 0 ? result : { ...result, blockers: all }
}

/** An answer in the form that models read, before `withNames` replaces ids. */
export function leanForm(value: JsonObject, call: LeanCall): JsonObject {
  const { operation, callerId, full } = call
  const { items } = value
  if (answersAsRead(operation)) {
    if (operation.name === 'get_allowed_moves' && !full) return trimmed(movesOf(value), '', callerId) as JsonObject
    if (!full && Array.isArray(value.events))
      return trimmed({ ...value, events: eventLines(value.events) }, '', callerId) as JsonObject
    if (!full && isObject(value.columns))
      return trimmed({ ...value, columns: columnsOf(value.columns, callerId) }, '', callerId) as JsonObject
    if (full || !Array.isArray(items)) return trimmed(value, '', callerId) as JsonObject
    return trimmed({ ...value, items: items.map(item => lineOfItem(item, callerId)) }, '', callerId) as JsonObject
  }
  const form = trimmed(writtenForm(value, call), '', callerId) as JsonObject
  return operation.response === ItemChanges ? form : withoutOmitted(compact(form))
}

/** The answer to a write without the names of omitted members: its caller sent them. */
function withoutOmitted(value: JsonObject): JsonObject {
  const { _omitted: _, ...visible } = value
  return Object.fromEntries(
    Object.entries(visible).map(([name, member]) => [name, isObject(member) ? withoutOmitted(member) : member]),
  )
}

/** Arguments of a card that may begin an overlap (harness 5.3). */
const scoping = ['claim', 'paths', 'add_paths', 'remove_paths'] as const

/** The answer to a write: for a written record what the service set, otherwise everything except what was sent. */
function writtenForm(value: JsonObject, call: LeanCall): JsonObject {
  const { response, name } = call.operation
  // The answer to a move of an ideation would repeat its evaluation.
  const isMove = name.startsWith('move_')
  if (response === ItemChanges) return withoutEcho(changesOf(value), call)
  if (writesRecord(call.operation) && name !== 'claim_card')
    return {
      ...ofWritten(value, isMove ? ['complexity'] : []),
      ...(scoping.some(argument => Object.hasOwn(call.given, argument)) && overlapLines(value)),
    }
  // The caller could read both records before: only their changes are new (crew 8.3).
  if (name === 'promote_card')
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isObject(one) && 'rev' in one ? ofWritten(one) : one]),
    )
  const { title: _, ...others } = value
  const settings = settingsSent(value, call)
  return { ...withoutEcho(withClaimOnce(others), call), ...(settings !== undefined && { settings }) }
}

/** What the service set in a written record. */
const ofWritten = (record: JsonObject, but: readonly string[] = []): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => writtenMembers.has(key) && !but.includes(key)))

/** The settings of a board that a call sent, as they are stored (crew 8.3). */
function settingsSent({ settings }: JsonObject, { operation, given }: LeanCall): JsonObject | undefined {
  if (operation.name !== 'update_board' || !isObject(settings) || !isObject(given.settings)) return undefined
  const changes = given.settings
  return Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(changes, name)))
}

/** An answer with the claim next to the card, and not also in it (crew 8.7). */
function withClaimOnce(value: JsonObject): JsonObject {
  const { claim, card } = value
  if (!isObject(claim) || !isObject(card)) return value
  const { claim: _, overlaps: __, ...others } = card
  return { ...value, card: others }
}

/** A part that accompanies an answer, such as the work on a card, without meaningless members. */
export const leanPart = (part: JsonObject, callerId: string): JsonObject => trimmed(part, '', callerId) as JsonObject
