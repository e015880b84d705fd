import { type features, MeasuredType } from '@specboard/contract'
import { dialect, foldedText } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { ExplicitAnswer, type Implementation } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { reported } from './imported.ts'
import { boundsOf, type RangeQuery, rangeOf } from './periods.ts'

type Type = z.infer<typeof MeasuredType>

const count = (from: string, where: string) =>
  sql.raw(`(select count(*) from ${from} n where ${where} and n.archived = 0)`)

const length = (column: string) => dialect.jsonLength(sql.ref(`r.${column}`))

/** The table of each type, and what its items show in addition to id, title, status and created_at. */
const kinds: Readonly<Record<Type, { readonly table: string; readonly figures: RawBuilder<unknown> }>> = {
  ideation: {
    table: 'ideations',
    figures: sql`r.complexity, ${count('refinements', 'n.ideation_id = r.id')} as refinement_count,
      ${count('specs', 'n.ideation_id = r.id')} as spec_count`,
  },
  refinement: {
    table: 'refinements',
    figures: sql`r.ideation_id, r.version, ${count('specs', 'n.refinement_id = r.id')} as spec_count`,
  },
  spec: {
    table: 'specs',
    figures: sql`${length('acceptance_criteria')} as ac_count, ${length('test_scenarios')} as scenario_count,
      ${count('cards', 'n.spec_id = r.id')} as card_count, ${length('business_rules')} as rules_count,
      ${length('api_contracts')} as contracts_count`,
  },
  sprint: {
    table: 'sprints',
    figures: sql`r.spec_id, ${count('cards', 'n.sprint_id = r.id')} as card_count,
      ${count('cards', `n.sprint_id = r.id and n.status = 'done'`)} as done_count`,
  },
  card: {
    table: 'cards',
    figures: sql`r.card_type, ${reported('r', 'completeness')} as completeness, ${reported('r', 'drift')} as drift`,
  },
}

type ListedEntity = z.input<(typeof features.analytics)['list_entity_analytics']['response']>['items'][number]

type Without<Item, Key extends PropertyKey> = Item extends unknown ? Omit<Item, Key> : never

/** A row of the query. */
type Item = Without<ListedEntity, 'is_test'>

interface ListQuery extends RangeQuery {
  readonly search: string
  readonly offset: number
  readonly limit: number
}

interface Parameters {
  readonly board: string
  readonly from: string
  readonly to: string
}

const queries = new Map(
  MeasuredType.options.map(type => {
    const { table, figures } = kinds[type]
    const inRange = (param: (name: keyof Parameters) => unknown) =>
      sql`r.board_id = ${param('board')} and r.archived = 0
        and r.created_at >= ${param('from')} and r.created_at <= ${param('to')}`
    const page = hot<Parameters & { limit: number; offset: number }, { id: string }>(
      (_, param) =>
        sql<{ id: string }>`select r.id from ${sql.table(table)} r where ${inRange(param)}
          order by r.created_at desc, r.id limit ${param('limit')} offset ${param('offset')}`,
    )
    const count = hot<Parameters, { total: number }>(
      (_, param) => sql<{ total: number }>`select count(*) as total from ${sql.table(table)} r where ${inRange(param)}`,
    )
    const titles = hot<{ board: string }, Pick<Item, 'id' | 'title'>>(
      (_, param) =>
        sql<Pick<Item, 'id' | 'title'>>`select r.id, r.title from ${sql.table(table)} r
          where r.board_id = ${param('board')} and r.archived = 0 order by r.created_at desc, r.id`,
    )
    const items = hot<{ ids: string }, Item>(
      (_, param) =>
        sql<Item>`select r.id, ${refOf('r')} as ref, r.title, r.status, r.created_at, ${figures} from ${sql.table(table)} r
          where ${dialect.inList(sql.ref('r.id'), param('ids'))}`,
    )
    return [type, { page, count, titles, items }]
  }),
)

/** Whether a title contains a text, ignoring case. */
export const titleHolds = (title: string, search: string): boolean => foldedText(title).includes(foldedText(search))

interface Matches {
  readonly ids: readonly string[]
  readonly total: number
}

/** A page of a board's records of one type, newest first: those in the range, or those whose title contains the search. */
async function matching(db: Db, type: Type, board: string, query: ListQuery): Promise<Matches> {
  const { search, offset, limit } = query
  const { page, count, titles } = queries.get(type)!
  if (search === '') {
    const parameters = { board, ...boundsOf(rangeOf(query)) }
    const rows = await page(db, { ...parameters, limit, offset })
    return { ids: rows.map(row => row.id), total: (await count(db, parameters))[0]!.total }
  }
  const found = (await titles(db, { board })).filter(row => titleHolds(row.title, search))
  return { ids: found.slice(offset, offset + limit).map(row => row.id), total: found.length }
}

/** An item in the form of an answer. */
const itemOf = (item: Item): ListedEntity =>
  'card_type' in item ? { ...item, is_test: item.card_type === 'test' } : item

/** list_entity_analytics (B.12). */
export const entityList: Implementation<(typeof features.analytics)['list_entity_analytics']> = async (
  { query },
  ctx,
) => {
  const { offset, limit } = query
  const type = oneOf('type', MeasuredType.options, query.type)
  const { ids, total } = await matching(ctx.db, type, ctx.boardId, query)
  const found = await queries.get(type)!.items(ctx.db, { ids: JSON.stringify(ids) })
  const itemsById = new Map(found.map(item => [item.id, item]))
  const body = { total, offset, limit, items: ids.map(id => itemOf(itemsById.get(id)!)) }
  return new ExplicitAnswer(body, { total })
}
