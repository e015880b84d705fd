/** Commits and pull requests that a query names: by the first digits of a sha, or by `#12` (git 9). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import { mayFind, type Reach } from './reach.ts'

/** Maximum number of changes that a query names. */
const maxNamed = 20

interface CommitParameters {
  boards: string
  from: string
  until: string
  limit: number
}

const commitsFrom = hot<CommitParameters, { id: string }>(
  (_, param) => sql<{ id: string }>`select c.id from changes c
    where ${dialect.inList(sql.ref('c.board_id'), sql<string>`${param('boards')}`)} and c.kind = 'commit'
      and c.is_linked = 1 and c.key >= ${param('from')} and c.key < ${param('until')} limit ${param('limit')}`,
)

const requestsWith = hot<Omit<CommitParameters, 'until'>, { id: string }>(
  (_, param) => sql<{ id: string }>`select c.id from changes c
    where ${dialect.inList(sql.ref('c.board_id'), sql<string>`${param('boards')}`)} and c.key = ${param('from')}
      and c.kind = 'pull_request' and c.is_linked = 1 limit ${param('limit')}`,
)

const recordsOf = hot<{ changes: string }, { id: string }>(
  (_, param) => sql<{ id: string }>`select l.entity_id as id from change_links l
    where ${dialect.inList(sql.ref('l.change_id'), sql<string>`${param('changes')}`)} and l.is_undone = 0`,
)

/** The linked changes that a text names, then the records that they are linked to. */
export async function changesNamed({ db }: Context, { boards }: Reach, q: string): Promise<string[]> {
  const text = q.trim().toLowerCase()
  const [, number] = /^#(\d{1,15})$/.exec(text) ?? []
  const sha = /^[0-9a-f]{7,64}$/.test(text) ? text : undefined
  if (number === undefined && sha === undefined) return []
  const readable = [...boards].filter(([, access]) => mayFind(access, 'change')).map(([id]) => id)
  const selection = { boards: JSON.stringify(readable), limit: maxNamed }
  // `g` sorts after every hexadecimal digit.
  const found =
    number === undefined
      ? await commitsFrom(db, { ...selection, from: sha!, until: `${sha!}g` })
      : await requestsWith(db, { ...selection, from: number })
  const ids = found.map(({ id }) => id).toSorted()
  if (ids.length === 0) return []
  const records = await recordsOf(db, { changes: JSON.stringify(ids) })
  return [...ids, ...new Set(records.map(({ id }) => id).toSorted())]
}
