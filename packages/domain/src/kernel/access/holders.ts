import { builtinAllows, builtinPresets, type Permission } from '@specboard/contract'
import type { Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { Flags } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { PrincipalKind } from '../../schema/tables.ts'
import { Access } from './access.ts'
import type { Base } from './base.ts'
import { type BoardReachRow, wayOf } from './records.ts'

/** An agent that may do what another was refused. */
export interface Holder {
  readonly id: string
  readonly name: string
}

/** Maximum number of agents that a refusal names (access 2.3). */
const maxHolders = 5

/** The number of agents of a board that one read checks. */
const judgedAtOnce = 100

interface AgentRow extends BoardReachRow {
  id: string
  name: string
  kind: PrincipalKind
  preset_id: string | null
  revision: number | null
  permission_flags: Json<Flags> | null
}

const agentsOfBoard = hot<{ board: string; limit: number; offset: number }, AgentRow>(
  (_, param) =>
    sql<AgentRow>`select a.id, a.name, a.kind, a.preset_id, p.revision, a.permission_flags,
        b.id as board_id, b.owner_id, g.id as grant_id, g.permission_overrides as overrides, s.permission as share
      from agents a
      join boards b on b.id = ${param('board')}
      left join presets p on p.id = a.preset_id
      left join grants g on g.board_id = b.id and g.agent_id = a.id
      left join shares s on s.board_id = b.id and s.user_id = a.id
      where a.is_active = 1 and a.deleted_at is null and a.id in (
        select owner_id from boards where id = ${param('board')}
        union select agent_id from grants where board_id = ${param('board')}
        union select user_id from shares where board_id = ${param('board')})
      order by a.id <> b.owner_id, a.name, a.id
      limit ${param('limit')} offset ${param('offset')}`,
)

const personsOfService = hot<{ limit: number }, Omit<AgentRow, keyof BoardReachRow>>(
  (_, param) =>
    sql<Omit<AgentRow, keyof BoardReachRow>>`select a.id, a.name, a.kind, a.preset_id, p.revision, a.permission_flags
      from agents a left join presets p on p.id = a.preset_id
      where a.kind = 'person' and a.is_active = 1 and a.deleted_at is null order by a.created_at, a.id
      limit ${param('limit')}`,
)

/** The first people who hold a permission that does not depend on a board, oldest first. */
export async function personsHolding(db: Db, bases: Bases, name: Permission): Promise<readonly Holder[]> {
  const found: Holder[] = []
  for (const person of await personsOfService(db, { limit: judgedAtOnce })) {
    const base = await bases.resolve(db, person)
    if (base.allowed.has(name)) found.push({ id: person.id, name: person.name })
  }
  return found.slice(0, maxHolders)
}

/** Resolves the base of an agent's preset and flags. */
export interface Bases {
  resolve(db: Db, agent: Pick<AgentRow, 'kind' | 'preset_id' | 'revision' | 'permission_flags'>): Promise<Base>
}

/**
 * The agents among part of a board's agents that hold the requested permissions, and whether there are more agents to
 * check.
 */
interface JudgedPart {
  readonly holders: readonly Holder[]
  readonly more: boolean
}

/** Checks part of a board's agents, starting at an offset. */
type Judge = (offset: number) => Promise<JudgedPart>

/** The first holders on a board, as many as a refusal names. */
export const firstHolders = (judge: Judge): Promise<readonly Holder[]> => holders(judge, maxHolders)

/** All holders on a board. */
export const allHolders = (judge: Judge): Promise<readonly Holder[]> => holders(judge, Number.POSITIVE_INFINITY)

/** The holders on a board, up to a number; its agents are checked in parts. */
async function holders(judge: Judge, max: number): Promise<readonly Holder[]> {
  const found: Holder[] = []
  for (let offset = 0, more = true; more && found.length < max; offset += judgedAtOnce) {
    const part = await judge(offset)
    found.push(...part.holders)
    more = part.more
  }
  return found.slice(0, max)
}

/**
 * The agents among part of a board's agents that hold all of the permissions there, the owner first, then by name.
 * @param kind only principals of this kind
 */
export async function holdersAmong(
  db: Db,
  bases: Bases,
  boardId: string,
  names: readonly Permission[],
  offset: number,
  kind?: PrincipalKind,
): Promise<JudgedPart> {
  const rows = await agentsOfBoard(db, { board: boardId, limit: judgedAtOnce, offset })
  const holders: Holder[] = []
  for (const row of rows) {
    if (kind !== undefined && row.kind !== kind) continue
    const base = await bases.resolve(db, row)
    const access = new Access(base, wayOf(row, row.id))
    if (names.every(name => access.allows(name))) holders.push({ id: row.id, name: row.name })
  }
  return { holders, more: rows.length === judgedAtOnce }
}

/** An agent of a board, with what it may do there. */
export interface Member extends Holder {
  readonly kind: PrincipalKind
  readonly presetId: string | null
  readonly isOwner: boolean
  readonly access: Access
}

/** All active agents of a board, the owner first, with what each may do there. */
export async function membersOf(db: Db, bases: Bases, boardId: string): Promise<readonly Member[]> {
  const members: Member[] = []
  for (
    let offset = 0, rows: readonly AgentRow[] = [];
    offset === 0 || rows.length === judgedAtOnce;
    offset += judgedAtOnce
  ) {
    rows = await agentsOfBoard(db, { board: boardId, limit: judgedAtOnce, offset })
    for (const row of rows) {
      const base = await bases.resolve(db, row)
      const access = new Access(base, wayOf(row, row.id))
      const { id, name, kind, preset_id: presetId } = row
      members.push({ id, name, kind, presetId, isOwner: row.owner_id === id, access })
    }
  }
  return members
}

/** The names of the built-in presets that hold a permission. */
export const presetsHolding = (name: Permission): string[] =>
  builtinPresets.filter(builtin => builtinAllows(builtin, name)).map(builtin => builtin.name)
