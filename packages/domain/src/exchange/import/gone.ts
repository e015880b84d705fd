/** Records of an earlier import that the source no longer has (imports 3): they stay, and are reported. */
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import type { JudgingParts } from './judging/judging.ts'

/** The reported kinds, with their tables. */
const tables = { ideation: 'ideations', spec: 'specs', card: 'cards' } as const

type Kind = keyof typeof tables

interface Before {
  readonly external_id: string
  readonly entity_id: string
}

interface GoneParameters {
  readonly board: string
  readonly source: string
  readonly kind: Kind
  /** The external id after which to look. */
  readonly after: string
}

/** Records that are compared at once. */
const atOnce = 1_000

/** Maximum number of ids that a note names. */
const maxNamed = 20

/** Reports which records that came with earlier imports of this format are no longer in the source. */
export async function reportGone({ read, target, source, naming, tally }: JudgingParts): Promise<void> {
  if (target.isNew || source.format === 'specboard') return
  const present = naming.ids.here()
  for (const id of naming.ids.leftHere()) present.add(id)
  for (const kind of Object.keys(tables) as Kind[]) {
    const missing: string[] = []
    for (let after = '', more = true; more; ) {
      const before = await read(({ db }) =>
        importedBefore(db, { board: target.boardId, source: source.format, kind, after }),
      )
      missing.push(...before.filter(({ entity_id }) => !present.has(entity_id)).map(({ external_id }) => external_id))
      more = before.length === atOnce
      after = before.at(-1)?.external_id ?? after
    }
    if (missing.length > 0) tally.note(kind, goneReason(kind, missing))
  }
}

/** The records of a kind that an earlier import brought, and that are neither deleted nor archived here. */
async function importedBefore(db: Db, { board, source, kind, after }: GoneParameters): Promise<Before[]> {
  const { rows } = await sql<Before>`select x.external_id, x.entity_id from external_ids x
    join ${sql.table(tables[kind])} r on r.id = x.entity_id and r.archived = 0
    where x.board_id = ${board} and x.source = ${source} and x.entity_type = ${kind} and x.external_id > ${after}
    order by x.external_id limit ${sql.lit(atOnce)}`.execute(db)
  return rows
}

function goneReason(kind: Kind, missing: readonly string[]): string {
  const named = missing.slice(0, maxNamed).join(', ')
  const others = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : ''
  return missing.length === 1
    ? `1 ${kind} of an earlier import is no longer in the source, and stays here unchanged: ${named}.`
    : `${missing.length} ${kind}s of earlier imports are no longer in the source, and stay here unchanged: ${named}${others}.`
}
