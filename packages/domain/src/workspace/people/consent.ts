/** What a person may authorize an MCP client to do, and what the person chooses (people 3.5). */
import { type BoardReach, reaches } from '../../kernel/access/access.ts'
import { lacking, refuseEscalation } from '../../kernel/access/base.ts'
import { waysOf } from '../../kernel/access/boards.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import type { Service } from '../../kernel/service/service.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { AgentsTable, ConnectionsTable } from '../../schema/tables.ts'
import { derivedHandle } from '../agents/handles.ts'
import { baseOf, basesOf, newAgent, visibleAgents } from '../agents/store.ts'
import { lendAccess } from '../board-access/lent-ways.ts'
import { presetNamed, visiblePresets } from '../presets/store.ts'
import { requirePresentPerson } from './presence.ts'

/** A client as it is known here. */
export interface AskingClient {
  readonly id: string
  readonly name: string
  /** The host of its metadata document; null for a registered client. */
  readonly host: string | null
}

/** The person's choices. */
export interface ConsentChoices {
  readonly agent_id?: string | undefined
  readonly new_agent?: { readonly name: string; readonly preset_id: string } | undefined
  readonly board_ids?: readonly string[] | undefined
  readonly read_only: boolean
  readonly confirm: boolean
}

/** How many agents, presets and boards are offered. */
const maxOffered = 500

/**
 * The agents that a person may lend to a client: active ones that the person manages, with no more permissions than the
 * person.
 */
async function lendableAgents(db: Db, person: Caller): Promise<(AgentsTable & { readonly preset_name: string })[]> {
  const rows = await visibleAgents.rows(db, {
    caller: person.id,
    people: 0,
    kinds: '["agent"]',
    limit: maxOffered,
    offset: 0,
  })
  const base = await basesOf(db, rows)
  return rows
    .filter(row => row.is_active === 1 && lacking(base(row).allowed, person.base.allowed).length === 0)
    .map(row => ({ ...row, preset_name: base(row).presetName }))
}

async function offeredPresets(db: Db, person: Caller) {
  const rows = await visiblePresets.rows(db, { caller: person.id, limit: maxOffered, offset: 0 })
  const base = await basesOf(
    db,
    rows.map(({ id }) => ({ preset_id: id, permission_flags: null })),
  )
  return rows
    .filter(({ id }) => {
      const { allowed } = base({ preset_id: id, permission_flags: null })
      return lacking(allowed, person.base.allowed).length === 0
    })
    .map(({ id, name, description }) => ({ id, name, description }))
}

const boardsIn = hot<{ person: string }, { id: string; key: string; name: string }>((db, param) =>
  db
    .selectFrom('boards')
    .select(['id', 'key', 'name'])
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('owner_id', '=', param('person')),
        eb('id', 'in', selectFrom('grants').select('board_id').where('agent_id', '=', param('person'))),
        eb('id', 'in', selectFrom('shares').select('board_id').where('user_id', '=', param('person'))),
      ]),
    )
    .orderBy('name')
    .orderBy('id'),
)

const lastOf = hot<{ person: string; client: string }, Pick<ConnectionsTable, 'choice'>>((db, param) =>
  db
    .selectFrom('connections')
    .select('choice')
    .where('person_id', '=', param('person'))
    .where('client_id', '=', param('client'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/** The choices that a person has for a client. */
export const offeredChoices = (service: Service, person: Caller, clientId: string) =>
  service.database.read(async db => {
    const [previous] = await lastOf(db, { person: person.id, client: clientId })
    const agents = []
    for (const { id, name, preset_id, preset_name } of await lendableAgents(db, person)) {
      const boards = (await waysOf(db, id)).filter(reaches).map(({ boardId }) => boardId)
      agents.push({ id, name, preset_id, preset_name, boards })
    }
    return {
      agents,
      presets: await offeredPresets(db, person),
      boards: await boardsIn(db, { person: person.id }),
      previous: previous === undefined ? null : parseJson(previous.choice),
    }
  })

/**
 * Lets a client act as an agent, as a present person chose.
 * @param grantId the grant that its tokens will belong to
 * @returns the id of the connection, and its scope
 * @throws DomainError PERSON_REQUIRED, NOT_FOUND, FORBIDDEN, VALIDATION_ERROR
 */
export async function allowConnection(
  service: Service,
  person: Caller,
  {
    client,
    chosen,
    grantId,
  }: { readonly client: AskingClient; readonly chosen: ConsentChoices; readonly grantId: string },
): Promise<Pick<ConnectionsTable, 'id' | 'scopes'>> {
  requirePresentPerson(service, person, 'the connection of a client over MCP')
  return service.write(
    person,
    async ctx => {
      const agentId = await agentOf(ctx, chosen)
      const connection: ConnectionsTable = {
        id: ctx.newId(),
        client_id: client.id,
        client_name: client.name,
        client_host: client.host,
        agent_id: agentId,
        person_id: person.id,
        grant_id: grantId,
        scopes: chosen.read_only ? 'read' : 'read write',
        choice: toJson({ agent_id: agentId, read_only: chosen.read_only, confirm: chosen.confirm }),
        confirm: chosen.confirm ? 1 : 0,
        created_at: ctx.now(),
        last_used_at: ctx.now(),
        ended_at: null,
        ended_reason: null,
        unseen_end: 0,
      }
      await insertRow(ctx.db, 'connections', connection)
      const target = { type: 'connection', id: connection.id, name: client.name } as const
      await recordAudit(ctx, 'connection_created', target, [], { agent_id: agentId, scopes: connection.scopes })
      return connection
    },
    'web',
  )
}

/** Records that a person denied a client. */
export const denyConnection = (service: Service, person: Caller, client: AskingClient): Promise<void> =>
  service.write(
    person,
    ctx =>
      recordAudit(ctx, 'connection_denied', { type: 'agent', id: person.id, name: person.name }, [], {
        client_name: client.name,
      }),
    'web',
  )

async function agentOf(ctx: Context, { agent_id, new_agent, board_ids }: ConsentChoices): Promise<string> {
  if ((agent_id === undefined) === (new_agent === undefined))
    throw invalid('agent_id', 'Name either an agent_id or a new_agent.')
  if (agent_id !== undefined) {
    const agents = await lendableAgents(ctx.db, ctx.caller)
    if (!agents.some(({ id }) => id === agent_id)) throw notFound('agent', agent_id)
    return agent_id
  }
  return newAgentOf(ctx, new_agent!, board_ids)
}

/**
 * Creates an agent without any permission that the person lacks, with access to each board in the same way as the
 * person.
 */
async function newAgentOf(
  ctx: Context,
  { name, preset_id: preset }: NonNullable<ConsentChoices['new_agent']>,
  boardIds: ConsentChoices['board_ids'],
): Promise<string> {
  const preset_id = await presetNamed(ctx.db, preset, ctx.caller.id)
  if (preset_id === undefined) throw invalid('preset_id', `No preset ${preset} is visible to you.`)
  refuseEscalation((await baseOf(ctx.db, { preset_id, permission_flags: null })).allowed, ctx.caller.base)
  const ways = (await waysOf(ctx.db, ctx.caller.id)).filter(reaches)
  const chosen = boardIds === undefined ? ways : [...new Set(boardIds)].map(id => wayTo(ways, id))
  const id = ctx.newId()
  const handle = await derivedHandle(ctx.db, name)
  const fields = { id, name, handle, preset_id, created_by: ctx.caller.id, created_at: ctx.now() }
  await insertRow(ctx.db, 'agents', newAgent(null, fields))
  await recordAudit(ctx, 'agent_created', { type: 'agent', id, name }, ['name', 'preset_id'])
  for (const way of chosen) await lendAccess(ctx, id, ctx.caller.id, way)
  return id
}

function wayTo(ways: readonly BoardReach[], boardId: string): BoardReach {
  const way = ways.find(one => one.boardId === boardId)
  if (way === undefined) throw notFound('board', boardId)
  return way
}
