/** Operations on changes and their links (git 3-5). */
import { type features, LinkedEntity } from '@specboard/contract'
import { sql } from 'kysely'
import { archived, isRootType } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'
import { addLink, endLink } from './linking.ts'
import { listedChanges } from './listing.ts'
import { record } from './recording/record.ts'
import type { ReportSource } from './recording/recorder.ts'
import { readRepository, repositoryOrOnly } from './repositories.ts'
import { type ChangeRow, shownChanges } from './shown.ts'
import { allLinksOf, readChange } from './store.ts'

type Git = typeof features.git

/**
 * The repository that a caller reports changes of.
 * @param named its id or name; by default that of the CI session, or the only one of the board
 * @throws DomainError VALIDATION_ERROR
 */
async function reportedRepository(ctx: Context, named: string | undefined): Promise<RepositoriesTable> {
  const { ci } = ctx.caller
  const repository = await repositoryOrOnly(ctx.db, ctx.boardId, named ?? ci?.repositoryId)
  if (repository === undefined)
    throw invalid('repository_id', 'Name the repository of the changes in repository_id. list_repositories names them.')
  if (ci !== undefined && repository.id !== ci.repositoryId)
    throw invalid('repository_id', 'A CI run session may report changes only of its own repository.')
  return repository
}

/** The kind of confirmation that a caller can give about Git, and who was shown the key or set the trust behind it. */
async function wordOf({ caller, db }: Context): Promise<ReportSource> {
  const { id, kind, ci } = caller
  if (ci !== undefined)
    return ci.run.reason === null ? { source: 'ci', seenBy: ci.run.seen_by } : { source: 'sync', seenBy: null }
  if (kind !== 'ci') return { source: 'sync', seenBy: null }
  const [agent] = await db.selectFrom('agents').select('key_seen_by').where('id', '=', id).execute()
  return { source: 'ci', seenBy: agent?.key_seen_by ?? null }
}

/**
 * record_changes (git 5): what a pipeline reports is confirmed by it, what anybody else reports is only a claim; so is
 * the report of an untrusted run, because whoever may push its branch may rewrite its workflow (evidence 6.2).
 */
export const recordChanges: Implementation<Git['record_changes']> = async ({ body }, ctx) => {
  const { repository_id, ...changes } = body
  const repository = await reportedRepository(ctx, repository_id)
  const { id, kind, via } = ctx.caller
  const isPipeline = kind === 'ci' || via === 'ci'
  const { report, occurrences } = await record(ctx, repository, await wordOf(ctx), changes)
  const source = { recorded_by: id, agent: isPipeline ? null : id }
  await ctx.environment.onChanges(ctx, { repository, occurrences, source })
  return report
}

/** list_changes (git 3). */
export const listChanges: Implementation<Git['list_changes']> = ({ query }, ctx) => listedChanges(ctx, query)

async function shown(db: Db, id: string) {
  const { rows } =
    await sql<ChangeRow>`select c.*, r.name as repository, r.default_branch, r.url as repository_url, r.forge from changes c
    join repositories r on r.id = c.repository_id and ${sameBoard('r', 'c')} where c.id = ${id}`.execute(db)
  const [change] = rows
  if (change === undefined) throw notFound('change', id)
  return (await shownChanges(db, change.board_id, [change]))[0]!
}

/** get_change (git 3). */
export const getChange: Implementation<Git['get_change']> = ({ params }, ctx) => shown(ctx.db, params.change_id)

interface Pair {
  readonly change_id: string
  readonly entity_type: string
  readonly entity_id: string
}

/**
 * The record at the other end of a link, on the board of the change.
 * @throws DomainError NOT_FOUND
 */
async function recordOfLink(ctx: Context, { change_id, entity_type, entity_id }: Pair) {
  const { success, data } = LinkedEntity.safeParse(entity_type)
  if (!success) throw invalid('entity_type', `entity_type must be one of ${LinkedEntity.options.join(', ')}.`)
  const { record } = await ctx.reach(data, entity_id)
  const change = await readChange(ctx.db, change_id)
  if (record.board_id !== change.board_id) throw notFound(data, entity_id)
  return { change, record, entity: { entity_type: data, entity_id: record.id } }
}

/** @throws DomainError NOT_FOUND, ARCHIVED */
async function linkOf(ctx: Context, pair: Pair) {
  const { change, record, entity } = await recordOfLink(ctx, pair)
  if (record.archived) throw archived(record, isRootType(record.type) ? record : null)
  const present = (await allLinksOf(ctx.db, change)).find(({ entity_id }) => entity_id === record.id)
  return { change, entity, present }
}

/** link_change (git 4): restores a link that was undone. */
export const linkChange: Implementation<Git['link_change']> = async ({ params }, ctx) => {
  const { change, entity, present } = await linkOf(ctx, params)
  if (present === undefined || present.is_undone === 1) {
    await addLink(ctx, change, entity, present?.how ?? 'manual')
    if (entity.entity_type === 'card' && change.kind === 'commit')
      await ctx.environment.onChanges(ctx, {
        repository: await readRepository(ctx.db, change.repository_id),
        occurrences: [{ what: 'linked', change, card: entity.entity_id, byHand: true }],
        source: { recorded_by: ctx.caller.id, agent: null },
      })
  }
  return shown(ctx.db, change.id)
}

/** unlink_change (git 4): a recognised link stays undone when the change is seen again. */
export const unlinkChange: Implementation<Git['unlink_change']> = async ({ params }, ctx) => {
  const { change, present } = await linkOf(ctx, params)
  if (present !== undefined && present.is_undone === 0) await endLink(ctx, change, present)
  return shown(ctx.db, change.id)
}
