import { sql } from 'kysely'
import { managedBy } from '../access/managed.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import type { PresetsTable } from '../storage/schema.ts'

/** A preset as a caller finds it: whether the caller may write it, by owning it or managing its owner. */
export interface FoundPreset extends PresetsTable {
  writable: 0 | 1
}

/**
 * Presets that an agent sees: built-ins, those that it or an agent it manages owns, and the one that it has
 * (access 10).
 */
const visible = (caller: string) => sql`
  from presets p
  where p.is_builtin = 1 or p.owner_id = ${caller} or p.owner_id in (select id from managed)
    or p.id = (select preset_id from agents where id = ${caller})`

const writable = (caller: string) =>
  sql`case when p.owner_id = ${caller} or p.owner_id in (select id from managed) then 1 else 0 end as writable`

const visiblePreset = hot<{ id: string; caller: string }, FoundPreset>((db, param) => ({
  compile: () =>
    sql<FoundPreset>`with recursive ${managedBy(param('caller'))}
      select * from (select p.*, ${writable(param('caller'))} ${visible(param('caller'))}) seen
      where id = ${param('id')}`.compile(db),
}))

/** A preset that an agent sees; undefined when there is none of that id. */
export async function findPreset(db: Db, id: string, caller: string): Promise<FoundPreset | undefined> {
  const [preset] = await visiblePreset(db, { id, caller })
  return preset
}
