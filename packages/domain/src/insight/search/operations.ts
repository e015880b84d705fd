import type { features } from '@specboard/contract'
import { assigneeOf, labelsOf } from '../../delivery/cards/list/filters.ts'
import { cardsInScope } from '../../delivery/scopes/store.ts'
import { ReferenceTexts } from '../../kernel/access/referred.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Implementation, Input } from '../../kernel/implement.ts'
import { parseReference } from '../../lib/reference.ts'
import type { SearchSource } from '../../schema/tables.ts'
import { changesNamed } from './changes.ts'
import { find } from './find.ts'
import { readHits } from './hits.ts'
import type { Filter } from './queries.ts'
import { type Reach, reachOf } from './reach.ts'
import { wordsOfQuery } from './words.ts'

type SearchRecords = (typeof features.board)['search_records']
type Query = Input<SearchRecords>['query']

/** The kinds of record that can have an assignee. */
const assignable: readonly SearchSource[] = ['ideation', 'refinement', 'spec', 'card']

/** Finds records by words and filters among all that the caller may read (board 4). */
export const searchRecords: Implementation<SearchRecords> = async ({ query }, ctx) => {
  if (query.q.trim() === '' && !isFiltered(query))
    throw invalid('q', 'Say what to look for: words in q, or a filter such as board_id, kind or assignee_id.')
  const kinds = narrowest(query)?.filter(kind => query.kind?.includes(kind) ?? true) ?? query.kind
  const reach = await reachOf(ctx, query.board_id, kinds)
  const exact = [...(await recordNamed(ctx, query.q)), ...(await changesNamed(ctx, reach, query.q))]
  const { limit, offset } = query
  const { ordinals, total, partial } = await find(
    ctx.db,
    { ...filterOf(query, reach, ctx), cards: await cardsOf(query, ctx) },
    { q: query.q, exact, limit, offset },
  )
  const items = await readHits(ctx, reach, ordinals, wordsOfQuery(query.q))
  return { items: partial ? items.map(item => ({ ...item, partial: true as const })) : items, total }
}

/** The kinds that remain after the filters of a query; undefined for all. */
function narrowest({ assignee_id, path }: Query): readonly SearchSource[] | undefined {
  if (path !== undefined) return ['card']
  return assignee_id === undefined ? undefined : assignable
}

/** The cards whose scope contains the path of a query (harness 4.1); null without one. */
async function cardsOf({ path }: Query, ctx: Context): Promise<string | null> {
  if (path === undefined) return null
  const boards = (await ctx.boardsAllowing('CARDS_READ')).map(({ way }) => way!.boardId)
  return JSON.stringify(await cardsInScope(ctx.db, boards, path))
}

/** Whether a query selects records by something other than words: without any filter it would list everything. */
const isFiltered = ({ board_id, kind, assignee_id, status, label, parent_id, updated_since, path }: Query): boolean =>
  [board_id, kind, assignee_id, status, label, parent_id, updated_since, path].some(filter => filter !== undefined)

/** The record that a text names by its reference; empty for any other text. */
async function recordNamed(ctx: Context, q: string): Promise<string[]> {
  const text = q.trim()
  if (parseReference(text) === undefined) return []
  const named = new ReferenceTexts()
  named.add('any', text)
  const id = (await named.find(ctx.db, { agentId: ctx.caller.id, within: undefined }))('any', text)
  return id === text ? [] : [id]
}

const filterOf = (query: Query, { places, guidelines }: Reach, ctx: Context): Omit<Filter, 'cards'> => ({
  places: JSON.stringify(places),
  guidelines: JSON.stringify(guidelines),
  statuses: query.status === undefined ? null : JSON.stringify(query.status),
  ...labelsOf(query.label),
  parent: query.parent_id ?? null,
  ...assigneeOf(query.assignee_id, ctx),
  since: query.updated_since ?? '',
  archived: query.include_archived ? 1 : 0,
})
