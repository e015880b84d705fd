import type { Db } from '@specboard/domain'
import { addressOf, recordUri } from '../resources/uris.ts'

/** The resources of the parents of touched records: spec and sprint of a card, source of a spec (mcp 14.1). */
export async function parentUris(db: Db, uris: Iterable<string>): Promise<string[]> {
  const ids = (kind: string) =>
    [...uris].flatMap(uri => {
      const address = addressOf(uri)
      return address?.kind === kind && 'id' in address ? [address.id] : []
    })
  const cards = ids('card')
  const refinements = ids('refinement')
  const specs = ids('spec')
  const sprints = ids('sprint')
  const parents: string[] = []
  const add = (kind: 'ideation' | 'refinement' | 'spec' | 'sprint', id: string | null) => {
    if (id !== null) parents.push(recordUri(kind, id))
  }
  if (cards.length > 0)
    for (const card of await db
      .selectFrom('cards')
      .select(['spec_id', 'sprint_id'])
      .where('id', 'in', cards)
      .execute()) {
      add('spec', card.spec_id)
      add('sprint', card.sprint_id)
    }
  if (refinements.length > 0)
    for (const row of await db.selectFrom('refinements').select('ideation_id').where('id', 'in', refinements).execute())
      add('ideation', row.ideation_id)
  if (specs.length > 0)
    for (const row of await db
      .selectFrom('specs')
      .select(['ideation_id', 'refinement_id'])
      .where('id', 'in', specs)
      .execute()) {
      add('ideation', row.ideation_id)
      add('refinement', row.refinement_id)
    }
  if (sprints.length > 0)
    for (const row of await db.selectFrom('sprints').select('spec_id').where('id', 'in', sprints).execute())
      add('spec', row.spec_id)
  return parents
}
