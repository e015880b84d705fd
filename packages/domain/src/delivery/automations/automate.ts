/** Moves of cards caused by their changes (git 7). */
import { sql } from 'kysely'
import { resolveBase } from '../../kernel/access/base.ts'
import type { Address } from '../../kernel/access/records.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { toJson } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import type { Status } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'
import { automaticMoveGates } from '../cards/card-gates.ts'
import { findMoveFacts, type MoveFacts } from '../cards/gates/facts.ts'
import { asksOf, isSmall } from '../cards/gates/gates.ts'
import type { SentReport } from '../cards/gates/report.ts'
import { moveThroughGates } from '../cards/moves/move-card.ts'
import { Authors } from '../git/authors.ts'
import { isConfirmedMerge } from '../git/change-gates.ts'
import type { ChangeSource, ChangesHappened, Occurrence } from '../git/occurrences.ts'
import { allLinksOf, contentOf, findChange, repositoryOf } from '../git/store.ts'
import { cardsOfCommits, recordScopeDrift } from '../scopes/left.ts'
import { fromOf, settingOf } from './occasions.ts'
import { reportOfChange } from './report-of-change.ts'

/**
 * The age at which a change no longer triggers anything, ms: such a change comes from a first sync, an import, or a
 * queue that was stalled.
 */
const oldAfterMs = 7 * 86_400_000

const targetOf = { linked: 'started', opened: 'validation', merged: 'done' } as const

/** The caller in whose name automations of a repository move cards. */
const automationCaller = ({ id }: Pick<RepositoriesTable, 'id'>): Caller => ({
  id: `automation:${id}`,
  name: 'automation',
  kind: 'service',
  via: 'service',
  present: false,
  presetId: null,
  flags: null,
  base: resolveBase({}, null),
})

const addressOf = (board: string): Address => ({
  target: { type: 'board', id: board, board_id: board, status: null, archived: false, news: false },
  way: null,
  records: {},
})

interface LinkedRow extends ChangesTable {
  linked_at: string
}

const linkedTo = hot<OnBoard, LinkedRow>(
  (_, param) => sql<LinkedRow>`select c.*, l.linked_at from change_links l
    join changes c on c.id = l.change_id and ${sameBoard('c', 'l')}
    where l.entity_id = ${param('id')} and ${onBoard('l', param('board_id'))} and l.is_undone = 0`,
)

/** When a change was made, if known. */
async function timeOf(ctx: Context, change: ChangesTable): Promise<string | null> {
  const content = contentOf(change)
  if (change.kind === 'pull_request') return content.told_at ?? null
  if (change.kind === 'commit') return content.committed_at ?? content.authored_at ?? null
  const head = content.head == null ? undefined : await findChange(ctx.db, repositoryOf(change), 'commit', content.head)
  return head === undefined ? null : timeOf(ctx, head)
}

const nameOf = ({ kind, key }: ChangesTable): string =>
  kind === 'pull_request' ? `pull request #${key}` : `${kind} ${key.slice(0, 12)}`

/** The effects of automations on one event. */
class Automations {
  readonly #ctx: Context
  readonly #repository: RepositoriesTable
  readonly #source: ChangeSource
  readonly #authors: Authors
  /** The cards that it has moved, or tried to: one move per event and card. */
  readonly #moved = new Set<string>()

  constructor(ctx: Context, repository: RepositoriesTable, source: ChangeSource, authors: Authors) {
    this.#ctx = ctx
    this.#repository = repository
    this.#source = source
    this.#authors = authors
  }

  /** The agent that an author corresponds to; null if unknown. */
  agentOf({ kind, author_email: email, author_login: login }: ChangesTable): string | null {
    const { agent } = this.#authors.find({ email, login }, this.#repository.id)
    if (agent !== undefined) return agent.id
    // A branch has no named author: it belongs to whoever reports it.
    return kind === 'branch' && login === null && 'agent' in this.#source ? this.#source.agent : null
  }

  /** Moves a card, or records what prevents that, if a change calls for it. */
  async follow(occurrence: Occurrence, card: string): Promise<void> {
    const { what, change } = occurrence
    if (this.#moved.has(card)) return
    const facts = await findMoveFacts(this.#ctx, card)
    if (facts === undefined || facts.card.archived || !fromOf[what].includes(facts.card.status)) return
    if (!(await this.#applies(occurrence, facts))) return
    this.#moved.add(card)
    await this.#move(change, targetOf[what], facts)
  }

  #applies({ what, change }: Occurrence, facts: MoveFacts): Promise<boolean> | boolean {
    if (what === 'merged') return this.#isMerged(change, facts)
    const agent = this.agentOf(change)
    if (agent === null || !isWorker(facts, this.#authors.named(agent))) return false
    return what === 'opened' || this.#isFirst(facts, agent)
  }

  /** Whether no other commit or branch of its author was linked to a card before it. */
  async #isFirst({ card }: MoveFacts, agent: string): Promise<boolean> {
    const now = this.#ctx.now()
    const others = await linkedTo(this.#ctx.db, card)
    return !others.some(
      other => other.kind !== 'pull_request' && other.linked_at < now && this.agentOf(other) === agent,
    )
  }

  /** Whether all linked pull requests are merged or closed, according to somebody who does not do the work. */
  async #isMerged(change: ChangesTable, { card }: MoveFacts): Promise<boolean> {
    if (!isConfirmedMerge(change)) return false
    const all = await linkedTo(this.#ctx.db, card)
    return !all.some(({ kind, state, id }) => kind === 'pull_request' && state === 'open' && id !== change.id)
  }

  #causeOf(change: ChangesTable) {
    const { author_name: name, author_email: email, author_login: login } = change
    const { agent_id, agent_name } = this.#authors.shown({ name, email, login }, this.#repository.id)
    const { agent: _, ...source } = { agent: null, ...this.#source }
    return { change_id: change.id, ...source, author: { name, login, agent_id, agent_name } }
  }

  async #move(change: ChangesTable, to: Status, facts: MoveFacts): Promise<void> {
    const { card } = facts
    const acting = this.#ctx.as(automationCaller(this.#repository), addressOf(card.board_id))
    const cause = this.#causeOf(change)
    const work = { title: change.title, body: contentOf(change).body ?? null, name: nameOf(change) }
    const report = asksOf({ facts, to }).length === 0 ? {} : reportOfChange(work, isSmall(facts))
    const details = { from_status: card.status, to_status: to }
    try {
      const gates = (move: Parameters<typeof automaticMoveGates>[0]) =>
        automaticMoveGates(move, acting, this.agentOf(change))
      await moveThroughGates(acting, card.id, to, undefined, report, { gates, cause })
      await recordOnCard(acting, card, 'automation_moved', { ...details, cause })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      await this.#refused(acting, facts, { to, report, change, cause, error })
    }
  }

  async #refused(acting: Context, { card }: MoveFacts, { to, report, change, cause, error }: Refusal): Promise<void> {
    const move = { from_status: card.status, to_status: to }
    const missing = error.extra.missing ?? []
    await recordOnCard(acting, card, 'automation_refused', { move, code: error.code, missing, cause })
    await this.#ctx.db.deleteFrom('automation_refusals').where('card_id', '=', card.id).execute()
    // It appears in the inbox of the people who may approve it.
    if (error.code === 'PERSON_REQUIRED') return
    await insertRow(this.#ctx.db, 'automation_refusals', {
      card_id: card.id,
      board_id: card.board_id,
      change_id: change.id,
      agent_id: this.agentOf(change),
      from_status: card.status,
      to_status: to,
      moved_at: card.moved_at,
      code: error.code,
      message: error.message,
      missing: toJson(missing),
      cause: toJson(cause),
      report: toJson({ ...report }),
      at: this.#ctx.now(),
    })
  }
}

interface Refusal {
  readonly to: Status
  readonly report: SentReport
  readonly change: ChangesTable
  readonly cause: Readonly<Record<string, unknown>>
  readonly error: DomainError
}

/** Whether a card belongs to somebody: by an active claim, or else by being assigned. */
const isWorker = ({ claim, card }: MoveFacts, names: readonly string[]): boolean =>
  claim === null ? card.assignee_id !== null && names.includes(card.assignee_id) : names.includes(claim.agent_id)

/** The cards concerned by what happened to a change. */
async function cardsOf(ctx: Context, occurrence: Occurrence): Promise<readonly string[]> {
  if (occurrence.what === 'linked') return [occurrence.card]
  const links = await allLinksOf(ctx.db, occurrence.change)
  return links
    .filter(({ entity_type, is_undone }) => entity_type === 'card' && is_undone === 0)
    .map(({ entity_id }) => entity_id)
}

/**
 * Moves the cards of changes, if their board is set up for it. Whatever prevents a move is recorded, and is never an
 * error: the event itself is processed (git 7).
 */
export async function automate(ctx: Context, { repository, occurrences, source }: ChangesHappened): Promise<void> {
  if (occurrences.length === 0) return
  await recordScopeDrift(ctx, repository.board_id, cardsOfCommits(occurrences))
  const relevant = occurrences.filter(each => each.what !== 'linked' || each.byHand === undefined)
  if (relevant.length === 0) return
  const settings = await boardSettings(ctx.db, repository.board_id)
  const enabled = relevant.filter(({ what, change }) => settings[settingOf[what]] && change.is_external === 0)
  if (enabled.length === 0) return
  const automations = new Automations(ctx, repository, source, await Authors.of(ctx.db, repository.board_id))
  const before = new Date(Date.parse(ctx.now()) - oldAfterMs).toISOString()
  for (const occurrence of enabled) {
    const at = await timeOf(ctx, occurrence.change)
    if (at !== null && at < before) continue
    for (const card of await cardsOf(ctx, occurrence)) await automations.follow(occurrence, card)
  }
}
