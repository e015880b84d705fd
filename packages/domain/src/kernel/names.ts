import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import {
  attachmentRef,
  commentRef,
  designRef,
  knowledgeRef,
  questionRef,
  specValidationRef,
  taskValidationRef,
} from '../schema/refs.ts'
import { refsOf } from './references.ts'

interface Named {
  readonly id: string
  readonly name: string
}

const boardKeys = hot<{ ids: string }, Named>((_, param) => {
  const among = dialect.inList(sql.ref('b.id'), param('ids'))
  return sql<Named>`select b.id, b.key as name from boards b where ${among}`
})

/** The last digits of an id, after a space, which tell agents of the same name apart. */
export const idEnd = (id: string): string => ` ${id.slice(-4)}`

const agentNames = hot<{ ids: string }, Named & { readonly twins: number }>((_, param) => {
  const among = dialect.inList(sql.ref('a.id'), param('ids'))
  const twins = sql`(select count(*) from agents o
    where o.name = a.name and o.id <> a.id and o.is_active = 1 and o.deleted_at is null)`
  return sql<Named & { readonly twins: number }>`select a.id, a.name, ${twins} as twins from agents a where ${among}`
})

const refsOfParts = [
  ['questions', questionRef],
  ['comments', commentRef],
  ['knowledge', knowledgeRef],
  ['attachments', attachmentRef],
  ['task_validations', taskValidationRef],
  ['spec_validations', specValidationRef],
  ['architecture_designs', designRef()],
] as const

const partRefs = hot<{ ids: string }, Named>((_, param) => {
  const parts = refsOfParts.map(
    ([table, ref]) =>
      sql`select id, ${ref} as name from ${sql.table(table)} where ${dialect.inList(sql.ref('id'), param('ids'))}`,
  )
  return sql<Named>`${sql.join(parts, sql` union all `)}`
})

/**
 * What lean answers call the records, their parts, boards and agents with these ids (crew 8.1): references, keys, and
 * names, with the last digits of the id where another active agent has the same name. Other ids are left out.
 */
export async function namesOf(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return new Map()
  const json = { ids: JSON.stringify(asked) }
  const [records, boards, agents, parts] = await Promise.all([
    refsOf(db, asked),
    boardKeys(db, json),
    agentNames(db, json),
    partRefs(db, json),
  ])
  return new Map([
    ...agents.map(({ id, name, twins }) => [id, twins > 0 ? name + idEnd(id) : name] as const),
    ...[...boards, ...parts].map(({ id, name }) => [id, name] as const),
    ...records,
  ])
}
