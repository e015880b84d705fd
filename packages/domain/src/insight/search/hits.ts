import type { FoundRecord } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { partRefsOf } from '../../kernel/names.ts'
import { refsOf } from '../../kernel/references.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { SearchRecord, SearchSource } from '../../schema/tables.ts'
import { excerptOf } from './excerpt.ts'
import { mayFind, type Reach } from './reach.ts'
import { readSearched, type SearchedRecord } from './sources.ts'

type FoundItem = z.output<typeof FoundRecord>

type HitRow = Pick<SearchRecord, 'ordinal' | 'kind' | 'record_id' | 'source_type' | 'source_id'>

const byOrdinals = hot<{ ordinals: string }, HitRow>(
  (_, param) =>
    sql<HitRow>`select ordinal, kind, record_id, source_type, source_id from search_records
      where ${dialect.inNumbers(sql.ref('ordinal'), param('ordinals'))}`,
)

const openQuestions = hot<{ ids: string }, { owner_id: string; count: number }>((db, param) =>
  db
    .selectFrom('questions')
    .select(({ fn }) => ['owner_id', fn.countAll<number>().as('count')])
    .where(eb => dialect.inList(eb.ref('owner_id'), param('ids')))
    .where('answered_at', 'is', null)
    .groupBy('owner_id'),
)

const titles = hot<{ ids: string }, { id: string; title: string }>((_, param) => {
  const parts = ['ideations', 'refinements', 'specs', 'sprints', 'cards'].map(
    table => sql`select id, title from ${sql.table(table)} where ${dialect.inList(sql.ref('id'), param('ids'))}`,
  )
  return sql<{ id: string; title: string }>`${sql.join(parts, sql` union all `)}`
})

const agentNames = hot<{ ids: string }, { id: string; name: string }>((db, param) =>
  db
    .selectFrom('agents')
    .select(['id', 'name'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** Kinds whose records are parts of others, which have references of their own (crew 8.2). */
const partKinds: ReadonlySet<string> = new Set(['architecture', 'comment', 'knowledge', 'question'])

/** The records with these ordinals, in the given order, as a search answers them. */
export async function readHits(
  ctx: Context,
  { boards }: Reach,
  ordinals: readonly number[],
  words: readonly string[],
): Promise<FoundItem[]> {
  const records = await readRecords(ctx.db, ordinals)
  const ids = JSON.stringify(records.map(({ id }) => id))
  const parents = JSON.stringify(records.flatMap(({ parent }) => parent?.id ?? []))
  const assignees = JSON.stringify(records.flatMap(({ assigneeId }) => assigneeId ?? []))
  const refs = await refsOf(ctx.db, [...JSON.parse(ids), ...JSON.parse(parents)])
  const parts = records.filter(({ kind }) => partKinds.has(kind)).map(({ id }) => id)
  const partRefs = parts.length === 0 ? new Map<string, string>() : await partRefsOf(ctx.db, parts)
  const questions = new Map((await openQuestions(ctx.db, { ids })).map(row => [row.owner_id, row.count]))
  const titleOf = new Map((await titles(ctx.db, { ids: parents })).map(row => [row.id, row.title]))
  const nameOf = new Map((await agentNames(ctx.db, { ids: assignees })).map(row => [row.id, row.name]))
  const mayRead = (boardId: string | null, kind: SearchSource) => {
    const access = boardId === null ? undefined : boards.get(boardId)
    return access !== undefined && mayFind(access, kind)
  }

  const parentOf = ({ parent, boardId }: SearchedRecord): FoundItem['parent'] => {
    if (parent === null || !mayRead(boardId, parent.type)) return null
    const [ref, title] = [refs.get(parent.id), titleOf.get(parent.id)]
    return ref === undefined || title === undefined ? null : { entity_type: parent.type, id: parent.id, ref, title }
  }

  return records.map(record => ({
    entity_type: record.kind,
    id: record.id,
    ref:
      record.parent?.type === 'card' && record.kind === 'knowledge'
        ? null
        : (refs.get(record.id) ?? partRefs.get(record.id) ?? null),
    board_id: record.boardId,
    title: record.title,
    status: record.status,
    parent: parentOf(record),
    labels: [...record.labels],
    assignee_id: record.assigneeId,
    assignee_name: record.assigneeId === null ? null : (nameOf.get(record.assigneeId) ?? null),
    open_questions:
      record.boardId !== null && boards.get(record.boardId)?.allows('QA_READ') ? (questions.get(record.id) ?? 0) : 0,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    excerpt: excerptOf(record.text, words),
  }))
}

/** The records with these ordinals, in the given order; each kind of row is read at once. */
async function readRecords(db: Db, ordinals: readonly number[]): Promise<SearchedRecord[]> {
  const rows = await byOrdinals(db, { ordinals: JSON.stringify(ordinals) })
  const found = new Map<string, SearchedRecord>()
  for (const [source, group] of Map.groupBy(rows, row => row.source_type))
    for (const [id, records] of await readSearched(db, source, [...new Set(group.map(row => row.source_id))]))
      for (const record of records) found.set(`${source} ${id} ${record.kind} ${record.id}`, record)
  const byOrdinal = new Map(
    rows.map(row => [row.ordinal, found.get(`${row.source_type} ${row.source_id} ${row.kind} ${row.record_id}`)]),
  )
  return ordinals.flatMap(ordinal => byOrdinal.get(ordinal) ?? [])
}
