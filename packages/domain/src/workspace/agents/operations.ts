import { features, PrincipalKind } from '@specboard/contract'
import { endClaimsOf } from '../../delivery/claims/end.ts'
import { type Base, checkedFlags, narrows, refuseEscalation } from '../../kernel/access/base.ts'
import { newKey, storedKey } from '../../kernel/access/keys.ts'
import { isOwner, manages } from '../../kernel/access/managed.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, DomainError, invalid, selfChange } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import { parseNullable, toJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { AgentsTable } from '../../schema/tables.ts'
import { boardsOfAgents } from '../board-access/boards-of.ts'
import { addGrant } from '../board-access/grants.ts'
import { presetNamed, visiblePresets } from '../presets/store.ts'
import { listAudit } from './audit.ts'
import { grantBoardAccess, revokeBoardAccess, updateBoardAccess } from './grants.ts'
import { derivedHandle, refuseTaken } from './handles.ts'
import { endAccessOf } from './leaving.ts'
import { notForKind, refuseForeignKey, refuseOverPerson, requirePresence } from './persons.ts'
import {
  agentOf,
  agentSummary,
  baseOf,
  basesOf,
  boardAgents,
  type NamedBase,
  newAgent,
  noKey,
  type Rights,
  readAgent,
  readWholeAgent,
  seesPeople,
  visibleAgents,
} from './store.ts'

type Agents = typeof features.agents

const createAgent: Implementation<Agents['create_agent']> = async ({ body }, ctx) => {
  const {
    name,
    kind = 'agent',
    email = null,
    description = null,
    objective = null,
    preset_id: preset = null,
    permission_flags = null,
    expires_in_days,
    board_ids = [],
  } = body
  if (kind === 'person') requirePresence(ctx, 'PEOPLE_MANAGE', 'the creation of a person')
  if (kind === 'person' && expires_in_days !== undefined) throw notForKind('expires_in_days', kind)
  if (kind !== 'person' && email !== null) throw notForKind('email', kind)
  refuseRightsOfPipeline(kind, { preset_id: preset, permission_flags })
  const boards = await grantableBoards(ctx, board_ids)
  if (ctx.origin === 'mcp' && kind !== 'ci' && preset === null && permission_flags === null)
    throw await presetMissing(ctx)
  const preset_id = await presetOf(ctx, preset)
  const rights = { kind, preset_id, permission_flags: toJson(permission_flags) }
  const base = await judgedBase(ctx, rights, noRights)
  const handle = body.handle ?? (await derivedHandle(ctx.db, name))
  await refuseTaken(ctx.db, handle, undefined)
  const key = kind === 'person' ? null : newKey()
  const agent = newAgent(key, {
    id: ctx.newId(),
    name,
    handle,
    email,
    description,
    objective,
    ...rights,
    key_expires_at: inDays(ctx, expires_in_days),
    key_seen_by: kind === 'ci' ? seenBy(ctx) : null,
    created_by: ctx.caller.id,
    created_at: ctx.now(),
  })
  await insertRow(ctx.db, 'agents', agent)
  await recordAudit(ctx, kind === 'person' ? 'person_created' : 'agent_created', targetOf(agent), Object.keys(body))
  for (const board_id of boards) await addGrant(ctx, { agent_id: agent.id, board_id }, null)
  return { ...agentOf(agent, base, ctx), api_key: key }
}

/**
 * The boards to grant to a new agent, each once; on each of them the caller may grant.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
async function grantableBoards(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const reached = []
  for (const id of new Set(ids)) reached.push(await ctx.reach('board', id))
  for (const { access } of reached) access.require(['AGENTS_GRANT'])
  return new Set(reached.map(({ record }) => record.id))
}

const listAgents: Implementation<Agents['list_agents']> = async ({ query }, ctx) => {
  const people: Flag = seesPeople(ctx) ? 1 : 0
  const filter = { caller: ctx.caller.id, people, kinds: JSON.stringify(query.kind ?? PrincipalKind.options) }
  const rows = await visibleAgents.rows(ctx.db, { ...filter, ...window(query) })
  const base = await basesOf(ctx.db, rows)
  const ids = rows.map(({ id }) => id)
  const boards = query.boards ? await boardsOfAgents(ctx, ids) : undefined
  return paged(
    rows,
    query,
    () => visibleAgents.count(ctx.db, filter),
    row => ({
      ...agentOf(row, base(row), ctx),
      ...(boards !== undefined && { boards: [...(boards.get(row.id) ?? [])] }),
    }),
  )
}

const listBoardAgents: Implementation<Agents['list_board_agents']> = async ({ query }, ctx) => {
  const rows = await boardAgents.rows(ctx.db, { board: ctx.boardId, ...window(query) })
  const base = await basesOf(ctx.db, rows)
  return paged(
    rows,
    query,
    () => boardAgents.count(ctx.db, ctx.boardId),
    row => agentSummary(row, base(row)),
  )
}

const getAgent: Implementation<Agents['get_agent']> = ({ params }, ctx) => readWholeAgent(ctx, params.agent_id)

/** Whether a column follows from another one, so that the audit log does not list it. */
const isBookkeeping = (column: string): boolean => column === 'disabled_by' || column === 'session_generation'

/** The fields that an agent cannot change on itself. */
const ownRights = ['is_active', 'permission_flags', 'preset_id'] as const

const updateAgent: Implementation<Agents['update_agent']> = async ({ params, body }, ctx) => {
  const ofOneself = params.agent_id === ctx.caller.id
  const before = await readAgent(ctx.db, params.agent_id)
  const own = ofOneself && Object.keys(body).length > 0
  const others = before.kind === 'person' && !ofOneself ? 'PEOPLE_MANAGE' : 'AGENTS_UPDATE'
  ctx.require(own ? 'AGENTS_UPDATE_SELF' : others)
  await refuseOverPerson(ctx, before, `the change of ${before.name}`)
  const fields = ownRights.filter(field => Object.hasOwn(body, field))
  if (ofOneself && fields.length > 0) throw selfChange('You cannot change your rights', fields)
  const { preset_id: preset, permission_flags, is_active, ...texts } = body
  if (texts.handle !== undefined) await refuseTaken(ctx.db, texts.handle, before.id)
  refuseRightsOfPipeline(before.kind, { preset_id: preset, permission_flags })
  const preset_id = preset === undefined ? undefined : await presetOf(ctx, preset)
  const enabled = is_active === true && before.is_active === 0
  const disabled = is_active === false && before.is_active === 1
  if (disabled) await endAccessOf(ctx, before)
  const update: Partial<AgentsTable> = {
    ...texts,
    ...(enabled && { is_active: 1, disabled_by: null }),
    ...(disabled && {
      is_active: 0,
      disabled_by: ctx.caller.id,
      session_generation: before.session_generation + 1,
    }),
    // A new preset without flags clears the agent's own flags, so that only the preset counts.
    ...(preset_id !== undefined && { preset_id, permission_flags: null }),
    ...(permission_flags !== undefined && { permission_flags: toJson(permission_flags) }),
  }
  if (enabled) await refuseForeignEnabling(ctx, before)
  if (enabled || preset_id !== undefined || permission_flags !== undefined)
    await judgedBase(ctx, { ...before, ...update }, enabled ? noRights : await baseOf(ctx.db, before))
  const changed = Object.entries(update).filter(([column, value]) => value !== before[column as keyof AgentsTable])
  if (changed.length > 0) {
    await updateRow(ctx.db, 'agents', before.id, Object.fromEntries(changed))
    const fields = changed.map(([field]) => field).filter(field => !isBookkeeping(field))
    await recordAudit(ctx, 'agent_updated', targetOf({ ...before, ...update }), fields)
    if (disabled) await endClaimsOf(ctx, before.id, 'taken_over')
  }
  return readWholeAgent(ctx, before.id)
}

/**
 * Who is shown the key of a pipeline, and might vouch for their own work with it; null for a present person (evidence
 * 1, rule 3).
 */
const seenBy = ({ caller }: Context): string | null => (caller.present ? null : caller.id)

/**
 * Who has seen a valid key of a pipeline: while the previous key is also valid, whoever saw that one.
 * @param until how long the previous key is valid; null if it is not
 */
const seenOf = (ctx: Context, { key_seen_by }: AgentsTable, until: string | null): string | null =>
  seenBy(ctx) ?? (until === null ? null : key_seen_by)

/**
 * Refuses to give a pipeline permissions other than those of all pipelines (evidence 6).
 * @throws DomainError VALIDATION_ERROR
 */
function refuseRightsOfPipeline(
  kind: AgentsTable['kind'],
  rights: Readonly<Record<'preset_id' | 'permission_flags', unknown>>,
): void {
  const field =
    kind === 'ci' ? (['preset_id', 'permission_flags'] as const).find(name => rights[name] != null) : undefined
  if (field !== undefined) throw notForKind(field, kind)
}

/** The columns that keep the current key valid during the overlap; none without an overlap. */
function overlapping(ctx: Context, { key_hash, key_expires_at }: AgentsTable, minutes: number) {
  if (minutes === 0 || key_hash === null) return { former_key_hash: null, former_key_until: null }
  const end = later(ctx, minutes * minuteMs)
  const until = key_expires_at !== null && key_expires_at < end ? key_expires_at : end
  return { former_key_hash: key_hash, former_key_until: until }
}

const regenerateAgentKey: Implementation<Agents['regenerate_agent_key']> = async ({ params, body }, ctx) => {
  const { expires_in_days, overlap_minutes = 0, remove = false } = body ?? {}
  const before = await readAgent(ctx.db, params.agent_id)
  refuseForeignKey(ctx, before)
  if (before.kind === 'ci') ctx.require('AGENTS_CREATE_CI')
  if (remove) return removeKey(ctx, before)
  refuseEscalation((await baseOf(ctx.db, before)).allowed, ctx.caller.base)
  const key = newKey()
  const stored = storedKey(key)
  const key_expires_at = inDays(ctx, expires_in_days)
  const overlap = overlapping(ctx, before, overlap_minutes)
  await updateRow(ctx.db, 'agents', before.id, {
    ...stored,
    key_expires_at,
    ...overlap,
    ...(before.kind === 'ci' && { key_seen_by: await seenOf(ctx, before, overlap.former_key_until) }),
  })
  await recordAudit(ctx, 'key_regenerated', targetOf(before), ['api_key', ...Object.keys(body ?? {})])
  const end = overlap.former_key_until
  return {
    message: `Keep this key: it is not shown again. The old one ${end === null ? 'is refused from now on' : `works until ${end}`}.`,
    agent_id: before.id,
    api_key: key,
    api_key_prefix: stored.api_key_prefix,
    key_expires_at,
  }
}

/** Removes the key of a person, who signs in without one (people 1.2, rule 3). */
async function removeKey(ctx: Context, before: AgentsTable) {
  if (before.kind !== 'person') throw notForKind('remove', before.kind)
  await updateRow(ctx.db, 'agents', before.id, noKey)
  await recordAudit(ctx, 'key_regenerated', targetOf(before), ['api_key', 'remove'])
  return {
    message: 'The key and the sessions that it opened are gone. Create another when you need it.',
    agent_id: before.id,
    api_key: null,
    api_key_prefix: '',
    key_expires_at: null,
  }
}

const deleteAgent: Implementation<Agents['delete_agent']> = async ({ params }, ctx) => {
  const { agent_id } = params
  if (agent_id === ctx.caller.id) throw selfChange('Nobody deletes itself', [])
  const agent = await readAgent(ctx.db, agent_id)
  await refuseOverPerson(ctx, agent, `the deletion of ${agent.name}`)
  const owned = await ctx.db
    .selectFrom('boards')
    .select('id')
    .where('owner_id', '=', agent_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  if (owned.length > 0) {
    throw blocked(
      'AGENT_OWNS_BOARDS',
      'The agent owns boards, which only it can delete. Deactivate it, or have it delete them first.',
      {
        boards: owned.map(board => board.id),
      },
    )
  }
  await ctx.db.deleteFrom('grants').where('agent_id', '=', agent_id).execute()
  await ctx.db.deleteFrom('shares').where('user_id', '=', agent_id).execute()
  await ctx.db.deleteFrom('saved_views').where('owner_id', '=', agent_id).where('shared', '=', 0).execute()
  await ctx.db.deleteFrom('inbox_marks').where('agent_id', '=', agent_id).execute()
  await endClaimsOf(ctx, agent_id, null)
  await endAccessOf(ctx, agent)
  await updateRow(ctx.db, 'agents', agent_id, { key_hash: null, handle: null, is_active: 0, deleted_at: ctx.now() })
  await recordAudit(ctx, 'agent_deleted', targetOf(agent), [])
}

/**
 * The id of a preset that the caller gives by id or name; null for none.
 * @throws DomainError VALIDATION_ERROR if the caller sees no such preset
 */
async function presetOf(ctx: Context, named: string | null): Promise<string | null> {
  if (named === null) return null
  const id = await presetNamed(ctx.db, named, ctx.caller.id)
  if (id !== undefined) return id
  const available = await presetNames(ctx)
  throw invalid('preset_id', `No preset ${named} is visible to this key. There are: ${available.join(', ')}.`, {
    available,
  })
}

/**
 * The refusal for a model that leaves out the preset: an agent with all permissions must be made on purpose (walls 9).
 */
async function presetMissing(ctx: Context): Promise<DomainError> {
  const available = await presetNames(ctx)
  return invalid('preset_id', `Say what the agent may do: preset_id takes one of ${available.join(', ')}.`, {
    available,
  })
}

/** Maximum number of presets that a refusal lists. */
const namedPresets = 50

async function presetNames(ctx: Context): Promise<string[]> {
  const rows = await visiblePresets.rows(ctx.db, { caller: ctx.caller.id, limit: namedPresets, offset: 0 })
  return rows.map(({ name }) => name)
}

/** The base before a creation: empty, so that every given permission is checked. */
const noRights: Pick<Base, 'allowed'> = { allowed: new Set() }

/**
 * The base that results from a preset and flags, if the caller may give it. Narrowing what an agent holds is always
 * allowed (trust 2).
 * @throws DomainError FORBIDDEN when the base has permissions that the caller's base lacks; VALIDATION_ERROR for an
 *   unknown name
 */
async function judgedBase(ctx: Context, rights: Rights, before: Pick<Base, 'allowed'>): Promise<NamedBase> {
  const base = await baseOf(ctx.db, rights)
  if (!narrows(before.allowed, base.allowed)) refuseEscalation(base.allowed, ctx.caller.base)
  checkedFlags('permission_flags', parseNullable(rights.permission_flags) ?? {})
  return base
}

/**
 * Refuses to enable an agent, except to the agent that disabled it, to agents that manage that one, and to the
 * `Local Owner` (trust 2).
 * @throws DomainError FORBIDDEN
 */
async function refuseForeignEnabling(ctx: Context, { disabled_by }: AgentsTable): Promise<void> {
  const { id } = ctx.caller
  if (disabled_by === id || (await isOwner(ctx.db, id))) return
  if (disabled_by !== null && (await manages(ctx.db, id, disabled_by))) return
  throw new DomainError(
    'FORBIDDEN',
    'Another agent switched this one off. Only that agent, one that manages it, or the Local Owner may enable it.',
    { permission: 'AGENTS_UPDATE', missing: ['AGENTS_UPDATE'], denied_by: null, board_id: null },
  )
}

const targetOf = ({ id, name }: Pick<AgentsTable, 'id' | 'name'>) => ({ type: 'agent', id, name }) as const

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The time `ms` milliseconds after the call. */
const later = (ctx: Context, ms: number): string => new Date(Date.parse(ctx.now()) + ms).toISOString()

/** The time when a key expires; null for never, when no days are given. */
const inDays = (ctx: Context, days: number | undefined): string | null =>
  days === undefined ? null : later(ctx, days * dayMs)

export const agentOperations = implement(features.agents, {
  create_agent: createAgent,
  list_agents: listAgents,
  list_board_agents: listBoardAgents,
  get_agent: getAgent,
  update_agent: updateAgent,
  regenerate_agent_key: regenerateAgentKey,
  delete_agent: deleteAgent,
  grant_board_access: grantBoardAccess,
  update_board_access: updateBoardAccess,
  revoke_board_access: revokeBoardAccess,
  list_audit: listAudit,
})
