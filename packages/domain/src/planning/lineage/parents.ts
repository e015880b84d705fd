import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'

/** A kind of record of the chain. */
type Kind = 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card'

/** A record of the chain. */
export interface ChainRecord {
  readonly type: Kind
  readonly id: string
}

type Parents = Readonly<Partial<Record<Kind, string | null>>>

/** Reads the records directly above records of a kind. */
const readers: Readonly<Partial<Record<Kind, (db: Db, ids: readonly string[]) => Promise<readonly Parents[]>>>> = {
  refinement: (db, ids) =>
    db.selectFrom('refinements').select('ideation_id as ideation').where('id', 'in', ids).execute(),
  spec: (db, ids) =>
    db
      .selectFrom('specs')
      .select(['ideation_id as ideation', 'refinement_id as refinement'])
      .where('id', 'in', ids)
      .execute(),
  sprint: (db, ids) => db.selectFrom('sprints').select('spec_id as spec').where('id', 'in', ids).execute(),
  card: (db, ids) =>
    db.selectFrom('cards').select(['spec_id as spec', 'sprint_id as sprint']).where('id', 'in', ids).execute(),
}

/** The records directly above others: spec and sprint of a card, spec of a sprint, source of a spec or refinement. */
export function parentsOf(service: Service, records: readonly ChainRecord[]): Promise<ChainRecord[]> {
  return service.database.read(async db => {
    const found: ChainRecord[] = []
    for (const [type, group] of Map.groupBy(records, record => record.type)) {
      const rows =
        (await readers[type]?.(
          db,
          group.map(({ id }) => id),
        )) ?? []
      for (const row of rows)
        for (const [parent, id] of Object.entries(row) as [Kind, string | null][])
          if (id !== null) found.push({ type: parent, id })
    }
    return found
  })
}
