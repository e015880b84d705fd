/** The changes of cards, as the cards show them (git 9). */
import type { Card } from '@specboard/contract'
import { pageOfChange } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import type { CheckSummary } from './check-states.ts'
import { summariesOf } from './checks.ts'
import { reviewOf } from './pull-requests.ts'
import { contentOf, newestFirst } from './store.ts'

/** The changes of a card; null for one without a linked change. */
export type CardChanges = NonNullable<z.input<typeof Card>['changes']>

interface LinkedRow extends ChangesTable {
  entity_id: string
  forge: RepositoriesTable['forge']
  repository_url: string
  repository_name: string
}

const linkedTo = hot<{ board: string; entities: string }, LinkedRow>(
  (_, param) => sql<LinkedRow>`select c.*, l.entity_id, r.forge, r.url as repository_url, r.name as repository_name
    from change_links l join changes c on c.id = l.change_id and ${sameBoard('c', 'l')} join repositories r on r.id = c.repository_id and ${sameBoard('r', 'c')}
    where ${dialect.inList(sql.ref('l.entity_id'), param('entities'))} and ${onBoard('l', param('board'))} and l.is_undone = 0`,
)

/** A commit that is linked to a card, whose paths are known. */
export interface CommitPaths {
  readonly sha: string
  /** The name of its repository. */
  readonly repository: string
  readonly paths: readonly string[]
}

/** The changes of a card, and the files that its commits touch. */
export interface LinkedChanges {
  readonly shown: CardChanges
  /** The commits that count and whose paths are known, newest first. */
  readonly commits: readonly CommitPaths[]
}

/** The changes of cards of a board, by card id; only for cards with linked changes. */
export async function changesOfCards(
  db: Db,
  board: string,
  cards: readonly string[],
): Promise<ReadonlyMap<string, LinkedChanges>> {
  const rows = await linkedTo(db, { board, entities: JSON.stringify(cards) })
  if (rows.length === 0) return new Map()
  const checks = await summariesOf(
    db,
    board,
    rows.filter(({ kind }) => kind === 'pull_request'),
  )
  const byCard = Map.groupBy(rows.toSorted(newestFirst), ({ entity_id }) => entity_id)
  return new Map(
    [...byCard].map(([card, changes]) => [card, { shown: shown(changes, checks), commits: commitsIn(changes) }]),
  )
}

const commitsIn = (rows: readonly LinkedRow[]): CommitPaths[] =>
  rows
    .filter(row => row.kind === 'commit' && isCurrent(row))
    .flatMap(({ key, repository_name, content }) => {
      const { paths } = contentOf({ content })
      return paths == null ? [] : [{ sha: key, repository: repository_name, paths }]
    })

/** The files that the commits of cards of a board touch, as far as they are known, by card id. */
export async function commitsOfCards(
  db: Db,
  board: string,
  cards: readonly string[],
): Promise<ReadonlyMap<string, readonly CommitPaths[]>> {
  const rows = (await linkedTo(db, { board, entities: JSON.stringify(cards) })).toSorted(newestFirst)
  return new Map([...Map.groupBy(rows, ({ entity_id }) => entity_id)].map(([card, own]) => [card, commitsIn(own)]))
}

const worst: readonly CheckSummary['state'][] = ['failing', 'pending', 'passing']

/**
 * The state of the checks of cards of a board, by card id: of pull requests that are not closed, or else of the newest
 * commit.
 */
export async function checksOfCards(
  db: Db,
  board: string,
  cards: readonly string[],
): Promise<ReadonlyMap<string, CheckSummary['state']>> {
  if (cards.length === 0) return new Map()
  const rows = await linkedTo(db, { board, entities: JSON.stringify(cards) })
  if (rows.length === 0) return new Map()
  const byCard = Map.groupBy(rows.toSorted(newestFirst), ({ entity_id }) => entity_id)
  const counted = new Map([...byCard].map(([card, changes]) => [card, checkedAmong(changes)]))
  const checks = await summariesOf(db, board, [...counted.values()].flat())
  return new Map(
    [...counted].map(([card, changes]) => {
      const states = new Set(changes.map(change => checks(change).state))
      return [card, worst.find(state => states.has(state)) ?? 'none']
    }),
  )
}

/** The changes whose checks count for a card. */
function checkedAmong(changes: readonly LinkedRow[]): readonly LinkedRow[] {
  const requests = changes.filter(({ kind, state }) => kind === 'pull_request' && state !== 'closed')
  return requests.length > 0
    ? requests
    : changes.filter(change => change.kind === 'commit' && isCurrent(change)).slice(0, 1)
}

const isCurrent = (change: LinkedRow): boolean =>
  change.state !== 'vanished' && (contentOf(change).rewritten_as ?? null) === null

function shown(rows: readonly LinkedRow[], checksOf: (change: LinkedRow) => CheckSummary): CardChanges {
  const requests = rows.filter(({ kind }) => kind === 'pull_request')
  const allCommits = rows.filter(({ kind }) => kind === 'commit')
  const commits = allCommits.filter(isCurrent)
  const vanished = allCommits.length - commits.length
  const counted = requests.filter(({ state, additions }) => state !== 'closed' && additions !== null)
  const sources = counted.length > 0 ? counted : commits
  const times = rows.flatMap(row => [row.happened_at, contentOf(row).told_at, contentOf(row).merged_at])
  return {
    commits: commits.length,
    ...(vanished > 0 && { vanished }),
    pull_requests: requests.map(request => ({
      id: request.id,
      number: Number(request.key),
      title: request.title,
      url: pageOfChange({ url: request.repository_url, forge: request.forge }, request),
      state: request.state,
      draft: contentOf(request).draft ?? false,
      checks: checksOf(request),
      review: reviewOf(contentOf(request)),
    })),
    branches: rows.filter(({ kind }) => kind === 'branch').map(({ key, state }) => ({ name: key, state })),
    files_changed: sumOf(sources, 'files_changed'),
    additions: sumOf(sources, 'additions'),
    deletions: sumOf(sources, 'deletions'),
    merged_at: newest(rows.map(row => contentOf(row).merged_at)),
    last_at: newest(times)!,
  }
}

const newest = (times: readonly (string | null | undefined)[]): string | null =>
  times.reduce<string | null>((last, time) => (time != null && (last === null || time > last) ? time : last), null)

/** The sum of the reported values; null if none was reported. */
function sumOf(rows: readonly LinkedRow[], name: 'files_changed' | 'additions' | 'deletions'): number | null {
  const values = rows.map(row => row[name]).filter(value => value !== null)
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}
