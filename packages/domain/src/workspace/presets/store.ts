import { sql } from 'kysely'
import { managedBy } from '../../kernel/access/managed.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson } from '../../lib/json.ts'
import type { Flags } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { AgentsTable, PresetsTable } from '../../schema/tables.ts'

/**
 * The presets that an agent sees: built-in ones, those owned by it or an agent that it manages, and its own preset
 * (access 10). `writable` marks the owned ones, which it may change.
 */
const visibleTo = (caller: string) => sql`(
    select presets.*, case when owner_id = ${caller} or owner_id in (select id from managed) then 1 else 0 end as writable
    from presets
    where is_builtin = 1 or owner_id = ${caller} or owner_id in (select id from managed)
      or id = (select preset_id from agents where agents.id = ${caller})
  ) as seen`

/** A preset that the caller sees, and whether it may write it. */
export interface SeenPreset extends PresetsTable {
  writable: 0 | 1
}

const seenById = hot<{ id: string; caller: string }, SeenPreset>(
  (_, param) =>
    sql<SeenPreset>`with recursive ${managedBy(param('caller'))}
      select * from ${visibleTo(param('caller'))} where id = ${param('id')}`,
)

/** A preset by id; undefined when the agent does not see it. */
async function findPreset(db: Db, id: string, caller: string): Promise<SeenPreset | undefined> {
  const [preset] = await seenById(db, { id, caller })
  return preset
}

const seenByName = hot<{ name: string; caller: string }, SeenPreset>(
  (_, param) =>
    sql<SeenPreset>`with recursive ${managedBy(param('caller'))}
      select * from ${visibleTo(param('caller'))} where lower(name) = lower(${param('name')})
      order by is_builtin desc, id limit 1`,
)

/** The id of a preset that the agent sees, by id or by name: built-in ones first. Undefined if there is none. */
export async function presetNamed(db: Db, name: string, caller: string): Promise<string | undefined> {
  const preset = (await findPreset(db, name, caller)) ?? (await seenByName(db, { name, caller }))[0]
  return preset?.id
}

/**
 * A preset by id, if the agent sees it.
 * @throws DomainError NOT_FOUND
 */
export async function readPreset(db: Db, id: string, caller: string): Promise<SeenPreset> {
  const preset = await findPreset(db, id, caller)
  if (preset === undefined) throw notFound('preset', id)
  return preset
}

const listed = hot<{ caller: string; limit: number; offset: number }, SeenPreset>(
  (_, param) =>
    sql<SeenPreset>`with recursive ${managedBy(param('caller'))}
      select * from ${visibleTo(param('caller'))} order by is_builtin desc, name, id
      limit ${param('limit')} offset ${param('offset')}`,
)

const counted = hot<{ caller: string }, { count: number }>(
  (_, param) =>
    sql<{ count: number }>`with recursive ${managedBy(param('caller'))}
      select count(*) as count from ${visibleTo(param('caller'))}`,
)

/** The queries that list the presets that an agent sees, built-in ones first, then by name, and count them. */
export const visiblePresets = {
  rows: listed,
  count: async (db: Db, caller: string): Promise<number> => (await counted(db, { caller }))[0]!.count,
}

/** The agents with a preset, oldest first. */
export const agentsWith = (db: Db, presetId: string): Promise<Pick<AgentsTable, 'id' | 'permission_flags'>[]> =>
  db
    .selectFrom('agents')
    .select(['id', 'permission_flags'])
    .where('preset_id', '=', presetId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** The complete map of a stored preset. */
export const flagsOf = (row: PresetsTable): Flags => parseJson(row.flags)

/** A preset as answered. */
export const presetOf = (row: PresetsTable) => ({
  id: row.id,
  owner_id: row.owner_id,
  name: row.name,
  description: row.description,
  is_builtin: row.is_builtin === 1,
  base_preset_id: row.base_preset_id,
  flags: parseJson(row.flags),
  created_at: row.created_at,
  updated_at: row.updated_at,
})
