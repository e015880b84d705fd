import {
  type Forge,
  features,
  forgeOfAddress,
  nameOfAddress,
  type RepositoryAddress,
  readAddress,
  sameness,
} from '@specboard/contract'
import type { z } from 'zod'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { type Implementation, implement, multiStep } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { AuditTable, RepositoriesTable } from '../../schema/tables.ts'
import { listAuthors, putAuthors } from './authors.ts'
import { getChange, linkChange, listChanges, recordChanges, unlinkChange } from './changes.ts'
import { madeTrust } from './ci-trust.ts'
import { listForgeDeliveries, retryForgeDelivery } from './forge/deliveries.ts'
import { maxRepositories, nameKeyOf, readRepository, repositoriesOf, shownRepository } from './repositories.ts'
import { formerSecretViewer, makeRepositorySecret, replacedRepositorySecret, secretViewer } from './secrets.ts'

type Git = typeof features.git

/** Maximum number of characters of a name. */
const maxNameLength = 100

/** Changes removed in one unit of work. */
const removedAtOnce = 500

/**
 * Appends an entry to the audit log, and the same one to the log of the board; neither contains a secret (git 1, 9).
 */
async function logged(
  ctx: Context,
  action: AuditTable['action'],
  { id, name, board_id }: RepositoriesTable,
  fields: readonly string[],
): Promise<void> {
  await recordAudit(ctx, action, { type: 'repository', id, name }, fields)
  await ctx.record({
    boardId: board_id,
    entity: { type: 'board', id: board_id },
    activity: { action, details: { repository_id: id, name, fields: [...fields].sort() } },
  })
}

/**
 * The parts of an address.
 * @throws DomainError VALIDATION_ERROR
 */
function addressOf(url: string): RepositoryAddress {
  const address = readAddress(url)
  if ('fault' in address) throw invalid('url', `url ${address.fault}.`)
  return address
}

/**
 * The forge of a repository: as given, otherwise derived from its host.
 * @throws DomainError VALIDATION_ERROR if the host does not determine it, or if a `file:` address is given a forge other than plain
 */
function forgeFor(address: RepositoryAddress, requested?: z.output<typeof Forge>): z.output<typeof Forge> {
  const forge = requested ?? forgeOfAddress(address)
  if (forge === undefined)
    throw invalid('forge', 'The host does not show the forge: send forge as github, gitlab, gitea, forgejo or plain.')
  if (address.host === '' && forge !== 'plain')
    throw invalid('url', 'A file: url works only with forge plain: nobody sends events for it.')
  return forge
}

/** @throws DomainError VALIDATION_ERROR */
function checkSignatureOf(forge: z.output<typeof Forge>, required: boolean): void {
  if (required && forge !== 'gitlab')
    throw invalid('require_signature', 'require_signature is for forge gitlab; the others always sign. Leave it out.')
}

/** @throws DomainError REPOSITORY_EXISTS */
function checkName(others: readonly RepositoriesTable[], name: string, prefix: string | null): void {
  const key = nameKeyOf(name, prefix)
  const same = others.find(({ name_key }) => name_key === key)
  if (same !== undefined)
    throw blocked(
      'REPOSITORY_EXISTS',
      'The board has a repository with this name and path_prefix. Use it, or give another name.',
      { repository_id: same.id },
    )
}

const createRepository: Implementation<Git['create_repository']> = async ({ body }, ctx) => {
  const address = addressOf(body.url)
  const forge = forgeFor(address, body.forge)
  checkSignatureOf(forge, body.require_signature)
  const name = body.name ?? nameOfAddress(address).slice(0, maxNameLength)
  const trust = trustFor(ctx, body.ci, { ...body, forge, board_id: ctx.boardId })
  const others = await repositoriesOf(ctx.db, ctx.boardId)
  checkName(others, name, body.path_prefix)
  if (others.length >= maxRepositories)
    throw blocked('LIMIT_REACHED', `A board has at most ${maxRepositories} repositories. Delete one that is unused.`, {
      limit: maxRepositories,
      what: 'repositories',
    })
  const id = ctx.newId()
  const { plaintext, stored } = makeRepositorySecret(ctx.environment.secretKey, id, body.webhook_secret)
  const row: RepositoriesTable = {
    id,
    board_id: ctx.boardId,
    name,
    name_key: nameKeyOf(name, body.path_prefix),
    url: body.url,
    forge,
    default_branch: body.default_branch,
    path_prefix: body.path_prefix,
    recognise: toJson(body.recognise),
    required_checks: toJson(body.required_checks),
    secret: stored,
    former_secrets: toJson([]),
    secret_seen_by: secretViewer(ctx),
    require_signature: body.require_signature ? 1 : 0,
    active: body.active ? 1 : 0,
    forge_id: null,
    refusals: toJson([]),
    synced_at: null,
    last_delivery_at: null,
    ...trust,
    created_by: ctx.caller.id,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  await insertRow(ctx.db, 'repositories', row)
  await logged(ctx, 'repository_created', row, Object.keys(body))
  if (body.ci !== null) await trustSet(ctx, row)
  return { ...(await shownRepository(ctx.db, row, ctx.now())), webhook_secret: plaintext }
}

/** The trust for CI tokens, as it is stored. */
function trustFor(
  ctx: Context,
  settings: Parameters<typeof madeTrust>[1] | null,
  of: Parameters<typeof madeTrust>[2],
): Pick<RepositoriesTable, 'ci' | 'ci_issuer'> {
  if (settings === null) return { ci: null, ci_issuer: null }
  return { ci: toJson(madeTrust(ctx, settings, of)), ci_issuer: settings.issuer }
}

/** Records in the audit log and the log of the board whose CI tokens count from now on. */
async function trustSet(ctx: Context, { id, name, board_id, ci_issuer }: RepositoriesTable): Promise<void> {
  await recordAudit(ctx, 'ci_trust_set', { type: 'repository', id, name }, ['ci'])
  await ctx.record({
    boardId: board_id,
    entity: { type: 'board', id: board_id },
    activity: { action: 'ci_trust_set', details: { repository_id: id, name, issuer: ci_issuer } },
  })
}

const listRepositories: Implementation<Git['list_repositories']> = async ({ query }, ctx) => {
  const { items, total } = pageOf(await repositoriesOf(ctx.db, ctx.boardId), query)
  return { items: await Promise.all(items.map(row => shownRepository(ctx.db, row, ctx.now()))), total }
}

const getRepository: Implementation<Git['get_repository']> = async ({ params }, ctx) =>
  shownRepository(ctx.db, await readRepository(ctx.db, params.repository_id), ctx.now())

const updateRepository: Implementation<Git['update_repository']> = async ({ params, body }, ctx) => {
  const row = await readRepository(ctx.db, params.repository_id)
  const address = addressOf(body.url ?? row.url)
  const forge = forgeFor(address, body.forge ?? row.forge)
  checkSignatureOf(forge, body.require_signature ?? row.require_signature === 1)
  const name = body.name ?? row.name
  const prefix = body.path_prefix === undefined ? row.path_prefix : body.path_prefix
  const settled = {
    url: body.url ?? row.url,
    forge,
    default_branch: body.default_branch ?? row.default_branch,
  }
  const trust = body.ci !== undefined && trustFor(ctx, body.ci, { ...row, ...settled })
  const others = (await repositoriesOf(ctx.db, row.board_id)).filter(({ id }) => id !== row.id)
  checkName(others, name, prefix)
  const requested = {
    name,
    ...settled,
    path_prefix: prefix,
    recognise: body.recognise === undefined ? row.recognise : toJson(body.recognise),
    required_checks: body.required_checks === undefined ? row.required_checks : toJson(body.required_checks),
    require_signature: flag(body.require_signature, row.require_signature),
    active: flag(body.active, row.active),
  }
  const fields: string[] = (Object.keys(requested) as (keyof typeof requested)[]).filter(
    field => requested[field] !== row[field],
  )
  // Setting it again pins the issuer's number for the repository anew.
  if (body.ci !== undefined && (body.ci !== null || row.ci !== null)) fields.push('ci')
  if (fields.length === 0) return shownRepository(ctx.db, row, ctx.now())
  const moved = sameness(address) !== sameness(addressOf(row.url))
  const changed = {
    ...requested,
    name_key: nameKeyOf(name, prefix),
    updated_at: ctx.now(),
    ...(moved && { forge_id: null }),
    ...trust,
  }
  await updateRow(ctx.db, 'repositories', row.id, changed)
  await logged(ctx, 'repository_updated', { ...row, name }, fields)
  if (body.ci !== undefined) await trustSet(ctx, { ...row, ...changed })
  return shownRepository(ctx.db, { ...row, ...changed }, ctx.now())
}

const flag = (requested: boolean | undefined, stored: 0 | 1): 0 | 1 =>
  requested === undefined ? stored : requested ? 1 : 0

const deleteRepository = multiStep<Git['delete_repository']>(async ({ params }, steps) => {
  const { repository_id } = params
  // In pieces, so that a large repository holds up nobody.
  for (let removed = removedAtOnce; removed === removedAtOnce; )
    removed = await steps.writePiece(async ({ db, boardId }) => {
      const { numDeletedRows } = await db
        .deleteFrom('forge_deliveries')
        .where('id', 'in', some =>
          some
            .selectFrom('forge_deliveries')
            .select('id')
            .where('repository_id', '=', repository_id)
            .where(onBoard('forge_deliveries', boardId))
            .limit(removedAtOnce),
        )
        .where(onBoard('forge_deliveries', boardId))
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    })
  for (let removed = removedAtOnce; removed === removedAtOnce; )
    removed = await steps.writePiece(async ({ db, boardId }) => {
      const { numDeletedRows } = await db
        .deleteFrom('changes')
        .where('id', 'in', some =>
          some
            .selectFrom('changes')
            .select('id')
            .where('repository_id', '=', repository_id)
            .where(onBoard('changes', boardId))
            .limit(removedAtOnce),
        )
        .where(onBoard('changes', boardId))
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    })
  return steps.finish(async ctx => {
    const row = await readRepository(ctx.db, repository_id)
    await ctx.db.deleteFrom('repositories').where('id', '=', row.id).execute()
    await logged(ctx, 'repository_deleted', row, [])
    return undefined
  })
})

const rotateRepositorySecret: Implementation<Git['rotate_repository_secret']> = async ({ params, body }, ctx) => {
  const row = await readRepository(ctx.db, params.repository_id)
  const { plaintext, stored } = makeRepositorySecret(ctx.environment.secretKey, row.id, body.webhook_secret)
  const changed = {
    ...replacedRepositorySecret(row, stored, {
      now: ctx.now(),
      overlapHours: body.overlap_hours,
      seenBy: secretViewer(ctx) ?? formerSecretViewer(ctx.environment.secretKey, row, plaintext),
    }),
    updated_at: ctx.now(),
  }
  await updateRow(ctx.db, 'repositories', row.id, changed)
  await logged(ctx, 'repository_secret_rotated', row, ['webhook_secret'])
  return { ...(await shownRepository(ctx.db, { ...row, ...changed }, ctx.now())), webhook_secret: plaintext }
}

/** The repositories of a board, and the changes in them (git). */
export const gitOperations = implement(features.git, {
  create_repository: createRepository,
  list_repositories: listRepositories,
  get_repository: getRepository,
  update_repository: updateRepository,
  delete_repository: deleteRepository,
  rotate_repository_secret: rotateRepositorySecret,
  list_forge_deliveries: listForgeDeliveries,
  retry_forge_delivery: retryForgeDelivery,
  record_changes: recordChanges,
  list_changes: listChanges,
  get_change: getChange,
  link_change: linkChange,
  unlink_change: unlinkChange,
  list_authors: listAuthors,
  put_authors: putAuthors,
})
