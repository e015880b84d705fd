import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { DesignVersion } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type {
  ArchitectureDesignsTable,
  ArchitecturePayloadsTable,
  ArchitectureVersionsTable,
} from '../../schema/tables.ts'
import type { Design } from './design.ts'
import type { Payload } from './payload.ts'

const designById = hot<{ id: string }, ArchitectureDesignsTable>((db, param) =>
  db.selectFrom('architecture_designs').selectAll().where('id', '=', param('id')),
)

const designsByParent = hot<{ parent: string }, ArchitectureDesignsTable>((db, param) =>
  db
    .selectFrom('architecture_designs')
    .selectAll()
    .where('parent_id', '=', param('parent'))
    .orderBy('updated_at', 'desc')
    .orderBy('title')
    .orderBy('id'),
)

const payloadsByDesign = hot<{ design: string }, Pick<ArchitecturePayloadsTable, 'diagram_id' | 'content'>>(
  (db, param) =>
    db.selectFrom('architecture_payloads').select(['diagram_id', 'content']).where('design_id', '=', param('design')),
)

const payloadByDiagram = hot<{ design: string; diagram: string }, Pick<ArchitecturePayloadsTable, 'content'>>(
  (db, param) =>
    db
      .selectFrom('architecture_payloads')
      .select('content')
      .where('design_id', '=', param('design'))
      .where('diagram_id', '=', param('diagram')),
)

const upsertPayload = hot<ArchitecturePayloadsTable, never>((db, param) =>
  db
    .insertInto('architecture_payloads')
    .values({
      id: param('id'),
      board_id: param('board_id'),
      design_id: param('design_id'),
      diagram_id: param('diagram_id'),
      content: param('content'),
    })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ content: param('content') })),
)

const versionsByNumber = hot<
  { design: string; from: number; to: number },
  Pick<ArchitectureVersionsTable, 'version' | 'content'>
>((db, param) =>
  db
    .selectFrom('architecture_versions')
    .select(['version', 'content'])
    .where('design_id', '=', param('design'))
    .where(eb => eb.or([eb('version', '=', param('from')), eb('version', '=', param('to'))])),
)

const recordOf = (row: ArchitectureDesignsTable): Design => ({
  ...row,
  parent_type: row.parent_type,
  entities: parseJson(row.entities),
  interfaces: parseJson(row.interfaces),
  diagrams: parseJson(row.diagrams),
  stale: row.stale === 1,
  breaking_change_flag: row.breaking_change_flag === 1,
  requires_arch_review: row.requires_arch_review === 1,
})

/** The columns of a design. */
export const columnsOf = (design: Design): ArchitectureDesignsTable => ({
  ...design,
  entities: toJson(design.entities),
  interfaces: toJson(design.interfaces),
  diagrams: toJson(design.diagrams),
  stale: design.stale ? 1 : 0,
  breaking_change_flag: design.breaking_change_flag ? 1 : 0,
  requires_arch_review: design.requires_arch_review ? 1 : 0,
})

/**
 * A design, without payloads.
 * @throws DomainError NOT_FOUND
 */
export async function readDesign(db: Db, id: string): Promise<Design> {
  const [row] = await designById(db, { id })
  if (row === undefined) throw notFound('architecture_design', id)
  return recordOf(row)
}

/** The designs of a record in list order: last changed first, then by title and id (A.3). */
export async function readDesigns(db: Db, parentId: string): Promise<Design[]> {
  return (await designsByParent(db, { parent: parentId })).map(recordOf)
}

/** The payloads of a design, as canonical JSON, by diagram id. */
export async function readPayloads(db: Db, designId: string): Promise<Map<string, Payload['content']>> {
  const rows = await payloadsByDesign(db, { design: designId })
  return new Map(rows.map(row => [row.diagram_id, row.content]))
}

/** The payload of a diagram, as canonical JSON; undefined when it has none. */
export async function readPayload(
  db: Db,
  designId: string,
  diagramId: string,
): Promise<Payload['content'] | undefined> {
  const [row] = await payloadByDiagram(db, { design: designId, diagram: diagramId })
  return row?.content
}

/** Stores a payload under its ref, replacing the previous one. */
export async function storePayload(db: Db, payload: ArchitecturePayloadsTable): Promise<void> {
  await upsertPayload(db, payload)
}

/** Removes payloads by their refs. */
export async function removePayloads(db: Db, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return
  await db
    .deleteFrom('architecture_payloads')
    .where(eb => dialect.inList(eb.ref('id'), sql.val(JSON.stringify(refs))))
    .execute()
}

/** The existing ones of two versions of a design, by number. */
export async function readVersions(
  db: Db,
  designId: string,
  from: number,
  to: number,
): Promise<Map<number, DesignVersion>> {
  const rows = await versionsByNumber(db, { design: designId, from, to })
  return new Map(rows.map(row => [row.version, parseJson(row.content)]))
}

const markCopies = hot<{ source: string; board: string; version: number }, never>((db, param) =>
  db
    .updateTable('architecture_designs')
    .set({ stale: 1 })
    .where('source_design_id', '=', param('source'))
    .where('board_id', '=', param('board'))
    .where('source_version', '<', param('version')),
)

/** Marks copies of a design that are older than its new version as stale (A.7). */
export async function markStale(db: Db, { id, board_id, version }: Design): Promise<void> {
  await markCopies(db, { source: id, board: board_id, version })
}
