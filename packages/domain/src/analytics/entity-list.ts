import { type features, MeasuredType } from '@specboard/contract'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { Answered, type Implementation } from '../implement.ts'
import { oneOf } from '../one-of.ts'
import { dialect } from '../storage/dialect.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import { boundsOf, type RangeQuery, rangeOf } from './periods.ts'

type Type = z.infer<typeof MeasuredType>

const count = (from: string, where: string) =>
  sql.raw(`(select count(*) from ${from} n where ${where} and n.archived = 0)`)

const length = (column: string) => dialect.jsonLength(sql.ref(`r.${column}`))

/** The table of each type, and what its items show beside id, title, status and created_at. */
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
    figures: sql`r.card_type, ${dialect.jsonLastNumber(sql.ref('r.conclusions'), 'completeness')} as completeness,
      ${dialect.jsonLastNumber(sql.ref('r.conclusions'), 'drift')} as drift`,
  },
}

interface Item {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly created_at: string
}

interface Parameters {
  readonly board: string
  readonly from: string
  readonly to: string
}

const queries = new Map(
  MeasuredType.options.map(type => {
    const { table, figures } = kinds[type]
    const titles = hot<Parameters, Pick<Item, 'id' | 'title'>>((db, param) => ({
      compile: () =>
        sql<Pick<Item, 'id' | 'title'>>`select r.id, r.title from ${sql.table(table)} r
          where r.board_id = ${param('board')} and r.archived = 0
            and r.created_at >= ${param('from')} and r.created_at <= ${param('to')}
          order by r.created_at desc, r.id`.compile(db),
    }))
    const items = hot<{ ids: string }, Item>((db, param) => ({
      compile: () =>
        sql<Item>`select r.id, r.title, r.status, r.created_at, ${figures} from ${sql.table(table)} r
          where ${dialect.inList(sql.ref('r.id'), param('ids'))} order by r.created_at desc, r.id`.compile(db),
    }))
    return [type, { titles, items }]
  }),
)

/** Whether a title holds a text, whatever the case. */
export const titleHolds = (title: string, search: string): boolean => title.toLowerCase().includes(search.toLowerCase())

/** The ids of a board's records of one type, newest first: those of the range, or those whose title holds the search. */
async function matchingIds(db: Db, type: Type, board: string, query: RangeQuery & { search: string }) {
  const { search } = query
  const range = search === '' ? rangeOf(query) : { from: null, to: null }
  const rows = await queries.get(type)!.titles(db, { board, ...boundsOf(range) })
  return rows.filter(row => search === '' || titleHolds(row.title, search)).map(row => row.id)
}

/** An item in the wire's shape. */
const itemOf = (type: Type, item: Item) =>
  type === 'card' ? { ...item, is_test: (item as Item & { card_type: string }).card_type === 'test' } : item

/** list_entity_analytics (B.12). */
export const entityList: Implementation<(typeof features.analytics)['list_entity_analytics']> = async (
  { query },
  ctx,
) => {
  const { offset, limit } = query
  const type = oneOf('type', MeasuredType.options, query.type)
  const ids = await matchingIds(ctx.db, type, ctx.boardId, query)
  const page = ids.slice(offset, offset + limit)
  const items = await queries.get(type)!.items(ctx.db, { ids: JSON.stringify(page) })
  const body = { total: ids.length, offset, limit, items: items.map(item => itemOf(type, item)) as never }
  return new Answered(body, { total: ids.length })
}
