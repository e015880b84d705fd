/** list_changes: the query (git 3). */
import type { features, InputOf } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type Expression, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import { Authors, signaturesOf } from './authors.ts'
import { type ChangeRow, shownChanges } from './shown.ts'

type ChangeQuery = InputOf<(typeof features.git)['list_changes']>['query']

/** The conditions of the requested filters. */
async function conditionsOf(ctx: Context, query: ChangeQuery): Promise<Expression<unknown>[]> {
  const { kind, state, repository_id, branch, sha, number, since, record, author } = query
  return [
    sql`c.board_id = ${ctx.boardId}`,
    // A filter by sha or number also finds unlinked changes.
    ...(sha === undefined && number === undefined ? [sql`c.is_linked = ${query.unlinked ? 0 : 1}`] : []),
    // A linked change is never bare.
    ...(sha !== undefined || number !== undefined || query.unlinked ? [sql`c.is_bare = 0`] : []),
    ...(kind === undefined ? [] : [dialect.inList(sql.ref('c.kind'), sql.val(toJson(kind)))]),
    ...(state === undefined ? [] : [dialect.inList(sql.ref('c.state'), sql.val(toJson(state)))]),
    ...(repository_id === undefined ? [] : [sql`c.repository_id = ${repository_id}`]),
    ...(branch === undefined ? [] : [onBranch(branch)]),
    // A range of keys, so that an index is used: no hexadecimal digit sorts after g.
    ...(sha === undefined ? [] : [sql`c.key >= ${sha} and c.key < ${`${sha}g`} and c.kind = 'commit'`]),
    ...(number === undefined ? [] : [sql`c.key = ${String(number)} and c.kind = 'pull_request'`]),
    ...(since === undefined ? [] : [sql`c.happened_at >= ${since}`]),
    ...(record === undefined ? [] : [ofRecord(record, ctx.boardId)]),
    ...(author === undefined ? [] : [await byAuthor(ctx, author)]),
  ]
}

const onBranch = (name: string) => sql`((c.kind = 'branch' and c.key = ${name}) or exists (
  select 1 from branch_commits o join changes b on b.id = o.branch_id and ${sameBoard('b', 'o')} where o.commit_id = c.id and b.kind = 'branch' and b.key = ${name}))`

/** The condition for changes of a record, or of the cards of a spec or sprint. */
const ofRecord = (id: string, board: string) => {
  const cardsOf = (parent: 'spec_id' | 'sprint_id') =>
    sql`select k.id from cards k where ${sql.ref(`k.${parent}`)} = ${id} and ${onBoard('k', board)}`
  return sql`c.id in (select l.change_id from change_links l where l.is_undone = 0 and ${onBoard('l', board)}
    and l.entity_id in (select ${id} union all ${cardsOf('spec_id')} union all ${cardsOf('sprint_id')}))`
}

/** The condition for changes by an agent, an e-mail address, or an unknown author. */
async function byAuthor(ctx: Context, author: string): Promise<Expression<unknown>> {
  if (author.includes('@')) return sql`c.author_email = ${author.toLowerCase()}`
  const authors = await Authors.of(ctx.db, ctx.boardId)
  const agentId = author === 'unknown' ? undefined : author
  const theirs = (await signaturesOf(ctx.db, ctx.boardId, authors)).filter(
    each => authors.find(each, each.repository_id ?? undefined).agent?.id === agentId,
  )
  const isApart = theirs.some(({ repository_id }) => repository_id !== null)
  const signatures = theirs.map(
    ({ repository_id, email, login }) => `${repository_id ?? ''} ${email ?? ''} ${login ?? ''}`,
  )
  return dialect.inList(
    sql<string>`${isApart ? sql`c.repository_id` : sql`''`} || ' ' || coalesce(c.author_email, '') || ' ' || coalesce(c.author_login, '')`,
    sql.val(toJson(signatures)),
  )
}

/** A page of the changes of a board, newest first. */
export async function listedChanges(ctx: Context, query: ChangeQuery) {
  const where = sql.join(await conditionsOf(ctx, query), sql` and `)
  const { rows } =
    await sql<ChangeRow>`select c.*, r.name as repository, r.default_branch, r.url as repository_url, r.forge from changes c
    join repositories r on r.id = c.repository_id and ${sameBoard('r', 'c')} where ${where}
    order by c.happened_at desc, c.id desc limit ${query.limit} offset ${query.offset}`.execute(ctx.db)
  const items = await shownChanges(ctx.db, ctx.boardId, rows)
  if (query.offset === 0 && rows.length < query.limit) return { items, total: rows.length }
  const counted = await sql<{ total: number }>`select count(*) as total from changes c where ${where}`.execute(ctx.db)
  return { items, total: Number(counted.rows[0]!.total) }
}
