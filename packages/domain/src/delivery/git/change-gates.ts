/** The gates `change` and `checks` of a move to `done`: the facts they need, and their rulings (git 6). */

import { pageOfChange } from '@specboard/contract'
import { sql } from 'kysely'
import type { Settings } from '../../kernel/board-settings.ts'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import { parseJson } from '../../lib/json.ts'
import { workersOnCard } from '../../planning/review/participants.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { OnBoard } from '../../schema/same-board.ts'
import type { ChangesTable } from '../../schema/tables.ts'
import { type KnownChanges, knownOf, type LinkedChange, placeOf } from './change-facts.ts'
import { countedChecks, isGreen, isNamed } from './check-states.ts'
import { commitsChecked } from './checks.ts'
import { contentOf } from './store.ts'

/** A change that keeps a card from being done. */
export interface MissingChange {
  readonly change_id: string | null
  readonly kind: ChangesTable['kind'] | null
  readonly title: string | null
  readonly state: ChangesTable['state'] | null
  readonly url: string | null
  readonly reason: 'no_change' | 'open' | 'draft' | 'not_on_default' | 'not_confirmed'
}

/** A check that keeps a card from being done. */
export interface MissingCheck {
  readonly sha: string | null
  readonly name: string | null
  readonly state: string | null
  readonly url: string | null
  readonly reason: 'failing' | 'pending' | 'cancelled' | 'not_run' | 'none'
}

/** The changes and checks that are missing; null for a kind that the board does not require. */
export interface ChangeFacts {
  readonly changes: readonly MissingChange[] | null
  readonly checks: readonly MissingCheck[] | null
}

/** The facts on a board with neither setting. */
export const noChangeFacts: ChangeFacts = { changes: null, checks: null }

const missingOf = (change: LinkedChange, reason: MissingChange['reason']): MissingChange => ({
  change_id: change.id,
  kind: change.kind,
  title: change.title,
  state: change.state,
  url: pageOfChange({ url: change.repository_url, forge: change.forge }, change),
  reason,
})

const noChange: MissingChange = {
  change_id: null,
  kind: null,
  title: null,
  state: null,
  url: null,
  reason: 'no_change',
}

/** Whether a commit counts at all: it still exists, and no other one replaced it. */
const isCurrent = (change: ChangesTable): boolean => {
  const { rewritten_as } = contentOf(change)
  return change.state !== 'vanished' && (rewritten_as === undefined || rewritten_as === null)
}

/** Whether a board requires confirmation by a pipeline or a person: then that of the worker itself never suffices. */
const isStrict = ({ min_evidence_tier }: Pick<Settings, 'min_evidence_tier'>): boolean =>
  min_evidence_tier === 'ci' || min_evidence_tier === 'person'

/** The agents that do the work, if a board requires confirmation by others; otherwise undefined. */
type Workers = ReadonlySet<string> | undefined

/** Whether a confirmation was made with a secret or key that a worker was shown: it then confirms nothing. */
const isOwnWord = ({ seen_by }: { readonly seen_by: string | null }, workers: Workers): boolean =>
  seen_by !== null && workers?.has(seen_by) === true

/**
 * Whether the merge of a change is confirmed by somebody who does not do the work; a sync suffices if its forge cannot
 * report it and the board does not require confirmation by others.
 */
function isConfirmed(change: LinkedChange, workers: Workers): boolean {
  const { confirmed_by, forge, last_delivery_at } = change
  if (confirmed_by === 'forge' || confirmed_by === 'ci') return !isOwnWord(change, workers)
  return confirmed_by === 'sync' && workers === undefined && (forge === 'plain' || last_delivery_at === null)
}

/** Whether somebody who does not do the work confirms that a change is merged. */
export const isConfirmedMerge = ({ state, confirmed_by }: ChangesTable): boolean =>
  state === 'merged' && (confirmed_by === 'forge' || confirmed_by === 'ci')

const isOpenRequest = ({ kind, state }: ChangesTable): boolean => kind === 'pull_request' && state === 'open'

/** The linked changes of a card that are not merged (git 6, rule 1). */
function missingChanges(linked: readonly LinkedChange[], changes: KnownChanges, workers: Workers): MissingChange[] {
  const requests = linked.filter(({ kind }) => kind === 'pull_request')
  const requestCommits = new Set(requests.flatMap(({ id }) => changes.commits.get(id) ?? []))
  const open = requests
    .filter(isOpenRequest)
    .map(request => missingOf(request, contentOf(request).draft === true ? 'draft' : 'open'))
  const commits = linked
    .filter(
      change =>
        change.kind === 'commit' && change.state === 'open' && isCurrent(change) && !requestCommits.has(change.id),
    )
    .map(commit => missingOf(commit, 'not_on_default'))
  const merged = linked.filter(({ state }) => state === 'merged')
  const unconfirmed = merged.some(change => isConfirmed(change, workers))
    ? []
    : merged.map(change => missingOf(change, 'not_confirmed'))
  const all = [...open, ...commits, ...unconfirmed]
  return all.length === 0 && merged.length === 0 ? [noChange] : all
}

/** A commit whose checks are required. */
interface CheckedCommit {
  readonly repository: LinkedChange
  readonly sha: string | null
}

/**
 * The commits whose checks count: of pull requests, or else the newest linked commit of each branch (git 6, rule 2).
 */
function commitsToCheck(linked: readonly LinkedChange[], changes: KnownChanges): CheckedCommit[] {
  const requests = linked.filter(({ kind, state }) => kind === 'pull_request' && state !== 'closed')
  if (requests.length > 0)
    return requests.map(repository => {
      const { merge_commit, head, repository_id } = repository
      const checks = merge_commit === null ? [] : (changes.checks.get(placeOf(repository_id, merge_commit)) ?? [])
      return { repository, sha: checks.some(({ isReport }) => !isReport) ? merge_commit : head }
    })
  // Of those on no branch the first, which is the newest by its time; on a branch the last one counts.
  const newest = new Map<string, CheckedCommit & { readonly place: string }>()
  for (const commit of linked.filter(change => change.kind === 'commit' && isCurrent(change))) {
    const named = { repository: commit, sha: commit.key }
    const places = changes.branches.get(commit.id) ?? []
    const none = `none ${commit.repository_id}`
    if (places.length === 0 && !newest.has(none)) newest.set(none, { ...named, place: '' })
    for (const { branch_id, placed_at } of places) {
      const place = `${placed_at ?? ''} ${commit.id}`
      if ((newest.get(branch_id)?.place ?? '') < place) newest.set(branch_id, { ...named, place })
    }
  }
  const all = [...newest.values()]
  return all.filter(({ sha }, index) => all.findIndex(other => other.sha === sha) === index)
}

const reasons = { failure: 'failing', pending: 'pending', cancelled: 'cancelled' } as const

const nothing = (sha: string | null, name: string | null, reason: MissingCheck['reason']): MissingCheck => ({
  sha,
  name,
  state: null,
  url: null,
  reason,
})

function missingAt({ repository, sha }: CheckedCommit, changes: KnownChanges, workers: Workers): MissingCheck[] {
  const patterns = parseJson(repository.required_checks)
  if (sha === null) return [nothing(null, null, 'none')]
  const counted = countedChecks(changes.checks.get(placeOf(repository.repository_id, sha)) ?? [], patterns)
  const notRun = patterns.filter(pattern => !counted.some(({ name }) => isNamed(pattern, name)))
  if (patterns.length === 0 && counted.length === 0) return [nothing(sha, null, 'none')]
  return [
    ...counted
      .filter(check => !isGreen(check))
      .map(({ name, state, url }) => ({ sha, name, state, url, reason: reasons[state as keyof typeof reasons] })),
    ...counted
      .filter(check => isGreen(check) && isOwnWord(check, workers))
      .map(({ name, state, url }) => ({ sha, name, state, url, reason: 'not_run' as const })),
    ...notRun.map(pattern => nothing(sha, pattern, 'not_run')),
  ]
}

/** The checks of a card's linked changes that are not green (git 6, rule 2). */
function missingChecks(linked: readonly LinkedChange[], changes: KnownChanges, workers: Workers): MissingCheck[] {
  // Changes from a file do not lead to any check that counts (git 11).
  const confirmed = linked.filter(({ confirmed_by }) => confirmed_by !== null)
  const commits = commitsToCheck(confirmed, changes)
  return commits.length === 0
    ? [nothing(null, null, 'none')]
    : commits.flatMap(each => missingAt(each, changes, workers))
}

/** The failed checks of a card's changes, whatever its board requires. */
export async function failedChecks(db: Db, board: string, card: string): Promise<MissingCheck[]> {
  const changes = await knownOf(db, board, [card], { changes: false, checks: true })
  return missingChecks(changes.linked.get(card) ?? [], changes, undefined).filter(
    ({ reason }) => reason === 'failing' || reason === 'cancelled',
  )
}

/** The settings about the changes of a board's cards. */
export type ChangeSettings = Pick<Settings, 'require_merged_change' | 'require_green_checks' | 'min_evidence_tier'>

/**
 * Who took part in the work on a card, if its board requires confirmation by others (evidence 1, rule 3); empty if
 * nothing about its changes was reported with a secret or key that anybody was shown.
 */
async function workersOf(db: Db, card: OnBoard, changes: KnownChanges, settings: ChangeSettings): Promise<Workers> {
  if (!isStrict(settings)) return undefined
  const linked = changes.linked.get(card.id) ?? []
  const words = linked.flatMap(change => [
    change,
    ...commitsChecked(change).flatMap(sha => changes.checks.get(placeOf(change.repository_id, sha)) ?? []),
  ])
  return words.every(({ seen_by }) => seen_by === null)
    ? new Set()
    : new Set((await workersOnCard(db, card)).map(({ agent_id }) => agent_id))
}

/** The requirements of their board that the changes of cards do not meet, by card. */
export async function changeFactsOf(
  db: Db,
  board: string,
  cards: readonly string[],
  settings: ChangeSettings,
): Promise<ReadonlyMap<string, ChangeFacts>> {
  const required = { changes: settings.require_merged_change, checks: settings.require_green_checks }
  const isRequired = required.changes || required.checks
  const changes = await knownOf(db, board, isRequired ? cards.filter(card => card !== newCard) : [], required)
  const facts = new Map<string, ChangeFacts>()
  for (const card of cards) {
    const linked = changes.linked.get(card) ?? []
    const workers = await workersOf(db, { id: card, board_id: board }, changes, settings)
    facts.set(card, {
      changes: required.changes ? missingChanges(linked, changes, workers) : null,
      checks: required.checks ? missingChecks(linked, changes, workers) : null,
    })
  }
  return facts
}

/** A card that does not exist yet, which has no changes. */
const newCard = ''

/**
 * The requirements of its board that the changes of a card do not meet; a card that does not exist yet has no changes.
 */
export const changeFacts = async (
  db: Db,
  board: string,
  card: string | null,
  settings: ChangeSettings,
): Promise<ChangeFacts> => (await changeFactsOf(db, board, [card ?? newCard], settings)).get(card ?? newCard)!

/** A way to open a gate. */
interface Remedy {
  readonly how: 'operation' | 'forge'
  readonly text: string
  readonly operation: string | null
  readonly arguments: Readonly<Record<string, unknown>> | null
}

const linkWay = (card: string | null): Remedy => ({
  how: 'operation',
  text: 'Name the card in the commit message (Specboard: and its reference), or link the change with the work.',
  operation: card === null ? null : 'link_change',
  arguments: card === null ? null : { entity_type: 'card', entity_id: card },
})

function wayOfChange({ change_id, kind, title, reason }: MissingChange, card: string | null): Remedy {
  const forge = (text: string): Remedy => ({ how: 'forge', text, operation: null, arguments: null })
  switch (reason) {
    case 'no_change':
      return linkWay(card)
    case 'draft':
      return forge(`Mark the pull request "${title}" as ready, and merge it.`)
    case 'open':
      return forge(`Merge the pull request "${title}", or close it.`)
    case 'not_on_default':
      return {
        how: 'operation',
        text: 'Merge the commit into the default branch, or unlink it if it is not work on this card.',
        operation: 'unlink_change',
        arguments: { change_id, entity_type: 'card', entity_id: card },
      }
    case 'not_confirmed':
      return forge(
        `Let the forge report that the ${kind} "${title}" is merged, with a secret that nobody working on this card has seen.`,
      )
  }
}

const wayOfCheck = ({ name, reason }: MissingCheck, card: string | null): Remedy =>
  reason === 'none' && name === null
    ? linkWay(card)
    : {
        how: 'forge',
        text:
          reason === 'pending'
            ? `Wait until ${name} has ended.`
            : reason === 'not_run'
              ? `Let ${name} run at this commit.`
              : `Fix what ${name} found, and push.`,
        operation: null,
        arguments: null,
      }

/** The ways, without duplicates. */
const distinct = (ways: readonly Remedy[]): Remedy[] =>
  ways.filter((way, index) => ways.findIndex(({ text }) => text === way.text) === index)

/** The refusal of a card whose changes are not merged; null if they are, or that is not required. */
export const changeNotMerged = ({ changes }: ChangeFacts, card: string | null): DomainError | null =>
  changes === null || changes.length === 0
    ? null
    : blocked('CHANGE_NOT_MERGED', 'The work on this card is not merged: see missing, and ways to go on.', {
        missing: [...changes],
        ways: distinct(changes.map(change => wayOfChange(change, card))),
      })

/** The refusal of a card whose checks are not green; null if they are, or that is not required. */
export const checksNotGreen = ({ checks }: ChangeFacts, card: string | null): DomainError | null =>
  checks === null || checks.length === 0
    ? null
    : blocked('CHECKS_NOT_GREEN', 'Checks of the work on this card are not green: see missing, and ways to go on.', {
        missing: [...checks],
        ways: distinct(checks.map(check => wayOfCheck(check, card))),
      })

const withEvents = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('repositories')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where('forge', '<>', sql.lit('plain')),
)

/** The warning for somebody who requires green checks when no forge reports any (git 6, rule 3). */
export async function checksWarning(db: Db, board: string): Promise<string | undefined> {
  const [row] = await withEvents(db, { board })
  return Number(row?.count ?? 0) > 0
    ? undefined
    : 'No repository of this board has a forge that reports checks: with require_green_checks no card with code can be done, unless a pipeline sends test reports.'
}
