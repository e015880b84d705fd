import type { features, Invitation } from '@specboard/contract'
import type { z } from 'zod'
import { Access, allowsMore, type ShareLevel } from '../../kernel/access/access.ts'
import { type Base, refuseEscalation } from '../../kernel/access/base.ts'
import { reachByType } from '../../kernel/access/records.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { DomainError, invalid, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import type { Service } from '../../kernel/service/service.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { InvitationsTable } from '../../schema/tables.ts'
import { derivedHandle } from '../agents/handles.ts'
import { baseOf, newAgent, readAgent } from '../agents/store.ts'
import { followLent } from '../board-access/lent-ways.ts'
import { addShare, changeShare, findShare } from '../board-access/shares.ts'
import { isOpen, listed, revoke, targetOf } from '../invitations/store.ts'
import { presetNamed } from '../presets/store.ts'
import type { Account } from './providers/rules.ts'
import { newToken, tokenHash } from './sign-in-links.ts'

type People = typeof features.people

const hourMs = 3_600_000

/** 404 if the service has no address to link to (people). */
function requireAddress({ environment }: Pick<Context, 'environment'>): string {
  const { publicUrl } = environment
  if (publicUrl !== undefined) return publicUrl
  throw new DomainError('NOT_FOUND', 'Invitations need a public address: set SPECBOARD_PUBLIC_URL, and restart.', {
    entity_type: 'invitation',
    entity_id: 'SPECBOARD_PUBLIC_URL',
  })
}

const invitationOf = ({ token_hash, revoked_at, ...row }: InvitationsTable): z.output<typeof Invitation> => ({
  ...row,
  boards: parseJson(row.boards),
})

/** The invitation letter (people 2.6). */
const invitationLetter = (by: string, url: string, until: string) => ({
  title: `${oneLine(by)} invites you to Specboard`,
  lines: [
    { text: `${oneLine(by)} invites you to work with them on Specboard. Open this link to join:`, url },
    { text: `It works once, until ${until.slice(0, 16).replace('T', ' ')} UTC.`, url: null },
  ],
})

/** create_invitation (people 2.6). */
export const createInvitation: Implementation<People['create_invitation']> = async ({ body }, ctx) => {
  const publicUrl = requireAddress(ctx)
  const boards = []
  for (const { board_id, share } of body.boards ?? []) {
    const { record, access } = await ctx.reach('board', board_id)
    access.require(['BOARDS_SHARE'])
    boards.push({ board_id: record.id, share })
  }
  const preset_id = await presetNamed(ctx.db, body.preset_id, ctx.caller.id)
  if (preset_id === undefined) throw invalid('preset_id', `No preset ${body.preset_id} is visible to you.`)
  refuseEscalation((await baseOf(ctx.db, { preset_id, permission_flags: null })).allowed, ctx.caller.base)
  const token = newToken()
  const invitation: InvitationsTable = {
    id: ctx.newId(),
    token_hash: tokenHash(token),
    name: body.name ?? null,
    email: body.email ?? null,
    preset_id,
    boards: toJson(boards),
    invited_by: ctx.caller.id,
    created_at: ctx.now(),
    expires_at: new Date(Date.parse(ctx.now()) + body.expires_in_hours * hourMs).toISOString(),
    accepted_at: null,
    accepted_by: null,
    revoked_at: null,
  }
  await insertRow(ctx.db, 'invitations', invitation)
  await recordAudit(ctx, 'invitation_created', targetOf(invitation), Object.keys(body))
  const url = `${publicUrl}/invite#${token}`
  const { notifications, onFault } = ctx.environment
  const { email } = invitation
  // The answer does not wait for a mail server.
  if (email !== null && notifications.types.email)
    ctx.afterCommit.push(() => {
      notifications
        .mail(ctx.caller.id, email, invitationLetter(ctx.caller.name, url, invitation.expires_at))
        .catch(onFault)
    })
  return { ...invitationOf(invitation), url }
}

/** list_invitations: open ones first, newest first (people 2.6). */
export const listInvitations: Implementation<People['list_invitations']> = async ({ query }, ctx) => {
  requireAddress(ctx)
  const rows = await listed(ctx.db, { since: '' })
  const open = rows.filter(row => isOpen(row, ctx.now()))
  const others = query.all ? rows.filter(row => !isOpen(row, ctx.now())) : []
  return pageOf([...open, ...others].map(invitationOf), query)
}

const byId = hot<{ id: string }, InvitationsTable>((db, param) =>
  db.selectFrom('invitations').selectAll().where('id', '=', param('id')),
)

/** revoke_invitation (people 2.6). */
export const revokeInvitation: Implementation<People['revoke_invitation']> = async ({ params }, ctx) => {
  requireAddress(ctx)
  const [invitation] = await byId(ctx.db, { id: params.invitation_id })
  if (invitation === undefined || !isOpen(invitation, ctx.now())) throw notFound('invitation', params.invitation_id)
  await revoke(ctx, invitation)
}

/** 410, one message for all causes (people 2.6). */
const goneError = () =>
  new DomainError(
    'INVITATION_GONE',
    'This invitation was used, was revoked or has expired. Ask whoever invited you for another one.',
  )

const byToken = hot<{ hash: string }, InvitationsTable>((db, param) =>
  db.selectFrom('invitations').selectAll().where('token_hash', '=', param('hash')),
)

/** The inviter, and which of the offered permissions they can still give. */
interface Offer {
  readonly invitation: InvitationsTable
  readonly inviter: { readonly name: string; readonly base: Base }
  readonly boards: readonly {
    readonly board_id: string
    readonly name: string
    readonly share: 'viewer' | 'editor' | 'admin'
  }[]
}

/**
 * What an invitation offers now: the inviter's permissions are checked again, and those they lost are not given (people
 * 2.6).
 * @throws DomainError INVITATION_GONE
 */
async function offerOf(db: Db, token: string, now: string): Promise<Offer> {
  const [invitation] = await byToken(db, { hash: tokenHash(token) })
  if (invitation === undefined || !isOpen(invitation, now)) throw goneError()
  const inviter = await readAgent(db, invitation.invited_by).catch(() => undefined)
  if (inviter === undefined || inviter.is_active === 0) throw goneError()
  const base = await baseOf(db, inviter)
  if (!base.allowed.has('PEOPLE_INVITE')) throw goneError()
  const boards = []
  for (const { board_id, share } of parseJson(invitation.boards)) {
    const reached = await reachByType(db, 'board', board_id, inviter.id).catch(() => undefined)
    if (reached === undefined || !new Access(base, reached.way).allows('BOARDS_SHARE')) continue
    const { name } = await db.selectFrom('boards').select('name').where('id', '=', board_id).executeTakeFirstOrThrow()
    boards.push({ board_id, name, share })
  }
  return { invitation, inviter: { name: inviter.name, base }, boards }
}

const timeOf = ({ environment }: Service): string => new Date(environment.clock()).toISOString()

/**
 * What the holder of an invitation's token is shown.
 * @throws DomainError INVITATION_GONE
 */
export async function shownInvitation(service: Service, token: string) {
  if (service.environment.publicUrl === undefined) throw goneError()
  return service.database.read(async db => {
    const { invitation, inviter, boards } = await offerOf(db, token, timeOf(service))
    const preset = await db
      .selectFrom('presets')
      .select('name')
      .where('id', '=', invitation.preset_id)
      .executeTakeFirst()
    return {
      invited_by_name: inviter.name,
      name: invitation.name,
      boards: boards.map(({ name, share }) => ({ name, share })),
      preset_name: preset?.name ?? null,
    }
  })
}

const used = hot<{ id: string; by: string; now: string }, { id: string }>((db, param) =>
  db
    .updateTable('invitations')
    .set({ accepted_at: param('now'), accepted_by: param('by') })
    .where('id', '=', param('id'))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id'),
)

/** No permissions: somebody who is about to become a person has none yet. */
const noBase: Base = { allowed: new Set(), deniedBy: () => 'preset' }

/** Somebody who is about to become a person here. */
export const newcomer = (service: Service, name: string): Caller => ({
  id: service.environment.newId(),
  name,
  kind: 'person',
  via: 'session',
  present: true,
  presetId: null,
  flags: null,
  base: noBase,
})

/**
 * Accepts an invitation, once: as a new person, or for a present one.
 * @param hasProviders whether an invitation for an address can only be accepted by an account with that address
 * @returns the id of the person
 * @throws DomainError INVITATION_GONE, FORBIDDEN
 */
export async function acceptInvitation(
  service: Service,
  token: string,
  {
    name,
    person,
    hasProviders,
  }: { readonly name: string; readonly person: Caller | undefined; readonly hasProviders: boolean },
): Promise<string> {
  if (service.environment.publicUrl === undefined) throw goneError()
  const caller = person ?? newcomer(service, name)
  await service.write(
    caller,
    async ctx => {
      const refusal = await acceptIn(ctx, token, { account: undefined, isNew: person === undefined, hasProviders })
      if (refusal !== undefined)
        throw new DomainError(
          'FORBIDDEN',
          'This invitation is for an email address: sign in with a provider account that has it.',
          { reason: 'provider' },
        )
    },
    'web',
  )
  return caller.id
}

/** Options of accepting an invitation. */
interface Accepting {
  /** The caller's account at an identity provider. */
  readonly account: Account | undefined
  /** Whether the caller becomes a person by accepting. */
  readonly isNew: boolean
  readonly hasProviders?: boolean
}

/**
 * Accepts an invitation in the name of the caller.
 * @returns why it is not for that account; undefined if it was accepted
 * @throws DomainError INVITATION_GONE
 */
export async function acceptIn(
  ctx: Context,
  token: string,
  { account, isNew, hasProviders = true }: Accepting,
): Promise<'unverified' | 'not_allowed' | undefined> {
  const offer = await offerOf(ctx.db, token, ctx.now())
  const { invitation, boards } = offer
  const refusal = hasProviders ? refusalOfAddress(invitation.email, account) : undefined
  if (refusal !== undefined) return refusal
  const rows = await used(ctx.db, { id: invitation.id, by: ctx.caller.id, now: ctx.now() })
  if (rows.length === 0) throw goneError()
  if (isNew) await addPerson(ctx, offer, account)
  for (const { board_id, share } of boards) await shareWithCaller(ctx, board_id, share, invitation.invited_by)
  await recordAudit(ctx, 'invitation_accepted', targetOf(invitation), [])
  return undefined
}

/** Why an invitation for an address is not for an account; undefined if it is (people 2.6). */
function refusalOfAddress(invited: string | null, account: Account | undefined) {
  if (invited === null) return undefined
  if (account?.email?.toLowerCase() !== invited.toLowerCase()) return 'not_allowed'
  return account.verified ? undefined : 'unverified'
}

/** Creates the person who accepts an invitation, with its preset but without the permissions that the inviter lacks. */
async function addPerson(ctx: Context, { invitation, inviter }: Offer, account: Account | undefined): Promise<void> {
  const { id, name } = ctx.caller
  const { preset_id, invited_by } = invitation
  const { allowed } = await baseOf(ctx.db, { preset_id, permission_flags: null })
  const lost = [...allowed].filter(permission => !inviter.base.allowed.has(permission))
  const permission_flags = lost.length === 0 ? null : toJson(Object.fromEntries(lost.map(one => [one, false])))
  const handle = await derivedHandle(ctx.db, name)
  const email = account?.verified === true ? account.email : null
  const fields = {
    id,
    name,
    handle,
    email,
    kind: 'person',
    preset_id,
    permission_flags,
    created_by: invited_by,
  } as const
  await insertRow(ctx.db, 'agents', newAgent(null, { ...fields, created_at: ctx.now() }))
  await recordAudit(ctx, 'person_created', { type: 'agent', id, name }, ['kind', 'name', 'preset_id'])
}

/** Shares a board with the caller; a share that it already has is raised to the level, but never lowered. */
async function shareWithCaller(ctx: Context, board_id: string, permission: ShareLevel, shared_by: string) {
  const { id } = ctx.caller
  const [board] = await ctx.db.selectFrom('boards').select('owner_id').where('id', '=', board_id).execute()
  if (board?.owner_id === id) return
  const share = await findShare(ctx.db, board_id, id)
  if (share === undefined) await addShare(ctx, { board_id, user_id: id, permission, shared_by })
  else if (allowsMore(permission, share.permission)) await changeShare(ctx, share, permission)
  else return
  await followLent(ctx, id, board_id)
}
