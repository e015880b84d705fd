import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { partNumberOf } from '../../lib/reference.ts'
import type { DesignVersion, Diagram } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { designRef } from '../../schema/refs.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type {
  ArchitectureDesignsTable,
  ArchitectureFormerPayloadsTable,
  ArchitecturePayloadsTable,
  ArchitectureVersionsTable,
} from '../../schema/tables.ts'
import type { Design, ListedVersion } from './design.ts'
import type { Payload } from './payload.ts'

/** A design as stored, with its reference. */
export interface DesignRow extends ArchitectureDesignsTable {
  ref: string
}

const designById = hot<{ id: string }, DesignRow>((db, param) =>
  db.selectFrom('architecture_designs').selectAll().select(designRef().as('ref')).where('id', '=', param('id')),
)

const designsByParent = hot<OnBoard, DesignRow>((db, param) =>
  db
    .selectFrom('architecture_designs')
    .selectAll()
    .select(designRef().as('ref'))
    .where('parent_id', '=', param('id'))
    .where(onBoard('architecture_designs', param('board_id')))
    .orderBy('updated_at', 'desc')
    .orderBy('title')
    .orderBy('id'),
)

const payloadsByDesign = hot<OnBoard, Pick<ArchitecturePayloadsTable, 'diagram_id' | 'content'>>((db, param) =>
  db
    .selectFrom('architecture_payloads')
    .select(['diagram_id', 'content'])
    .where('design_id', '=', param('id'))
    .where(onBoard('architecture_payloads', param('board_id'))),
)

const payloadByDiagram = hot<OnBoard & { diagram: string }, Pick<ArchitecturePayloadsTable, 'content'>>((db, param) =>
  db
    .selectFrom('architecture_payloads')
    .select('content')
    .where('design_id', '=', param('id'))
    .where(onBoard('architecture_payloads', param('board_id')))
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
    .onConflict(conflict => conflict.expression(dialect.keyOnBoard(['id'])).doUpdateSet({ content: param('content') })),
)

const versionsByNumber = hot<
  OnBoard & { from: number; to: number },
  Pick<ArchitectureVersionsTable, 'version' | 'content'>
>((db, param) =>
  db
    .selectFrom('architecture_versions')
    .select(['version', 'content'])
    .where('design_id', '=', param('id'))
    .where(onBoard('architecture_versions', param('board_id')))
    .where(eb => eb.or([eb('version', '=', param('from')), eb('version', '=', param('to'))])),
)

const versionsOf = hot<OnBoard, ListedVersion>((db, param) =>
  db
    .selectFrom('architecture_versions as v')
    .leftJoin('agents', 'agents.id', 'v.created_by')
    .select(['v.version', 'v.created_at as at', 'v.change_summary'])
    .select(({ fn, ref }) => fn.coalesce('agents.name', ref('v.created_by')).as('actor_name'))
    .where('v.design_id', '=', param('id'))
    .where(onBoard('v', param('board_id')))
    .orderBy('v.version', 'desc'),
)

/** The versions of a design, newest first (board 6). */
export const listVersions = (db: Db, design: OnBoard): Promise<ListedVersion[]> => versionsOf(db, design)

/** The design that a row holds. */
export const designOf = ({ number: _, ...row }: DesignRow): Design => ({
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
export const columnsOf = ({ ref, ...design }: Design): ArchitectureDesignsTable => ({
  ...design,
  number: partNumberOf(ref),
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
  return designOf(row)
}

/** The designs of a record in list order: last changed first, then by title and id (A.3). */
export async function readDesigns(db: Db, parent: OnBoard): Promise<Design[]> {
  return (await designsByParent(db, parent)).map(designOf)
}

/** The payloads of a design, as canonical JSON, by diagram id. */
export async function readPayloads(db: Db, design: OnBoard): Promise<Map<string, Payload['content']>> {
  const rows = await payloadsByDesign(db, design)
  return new Map(rows.map(row => [row.diagram_id, row.content]))
}

/** The payload of a diagram, as canonical JSON; undefined when it has none. */
export async function readPayload(
  db: Db,
  { id, board_id }: OnBoard,
  diagram: string,
): Promise<Payload['content'] | undefined> {
  const [row] = await payloadByDiagram(db, { id, board_id, diagram })
  return row?.content
}

const formerPayload = hot<
  { design: string; diagram: string; hash: string },
  Pick<ArchitectureFormerPayloadsTable, 'content'>
>((db, param) =>
  db
    .selectFrom('architecture_former_payloads')
    .select('content')
    .where('design_id', '=', param('design'))
    .where('diagram_id', '=', param('diagram'))
    .where('content_hash', '=', param('hash')),
)

/** The payload with this hash that a diagram had in a former version; undefined if none was kept. */
export async function readFormerPayload(
  db: Db,
  designId: string,
  diagramId: string,
  hash: string,
): Promise<Payload['content'] | undefined> {
  const [row] = await formerPayload(db, { design: designId, diagram: diagramId, hash })
  return row?.content
}

const keepFormer = hot<OnBoard & { diagram: string; hash: string }, never>(
  (_, param) => sql<never>`insert into architecture_former_payloads (design_id, diagram_id, content_hash, content)
    select p.design_id, p.diagram_id, ${param('hash')}, p.content from architecture_payloads p
    where p.design_id = ${param('id')} and p.diagram_id = ${param('diagram')} and ${onBoard('p', param('board_id'))}
    on conflict do nothing`,
)

/** Keeps the stored payloads of diagrams that are about to lose them, for the versions that use them (board 6). */
export async function keepFormerPayloads(
  db: Db,
  { id, board_id }: OnBoard,
  diagrams: readonly Diagram[],
): Promise<void> {
  for (const { id: diagram, content_hash: hash } of diagrams)
    if (hash !== null) await keepFormer(db, { id, board_id, diagram, hash })
}

/** Stores a payload under its ref, replacing the previous one. */
export async function storePayload(db: Db, payload: ArchitecturePayloadsTable): Promise<void> {
  await upsertPayload(db, payload)
}

/** Removes payloads of a board by their refs. */
export async function removePayloads(db: Db, board: string, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return
  await db
    .deleteFrom('architecture_payloads')
    .where(eb => dialect.inList(eb.ref('id'), sql.val(JSON.stringify(refs))))
    .where(onBoard('architecture_payloads', board))
    .execute()
}

/** Two versions of a design, by number, as far as they exist. */
export async function readVersions(
  db: Db,
  { id, board_id }: OnBoard,
  from: number,
  to: number,
): Promise<Map<number, DesignVersion>> {
  const rows = await versionsByNumber(db, { id, board_id, from, to })
  return new Map(rows.map(row => [row.version, parseJson(row.content)]))
}

const markCopies = hot<{ source: string; board: string; version: number }, never>((db, param) =>
  db
    .updateTable('architecture_designs')
    .set(eb => ({ stale: 1, rev: eb('rev', '+', 1) }))
    .where('stale', '=', 0)
    .where('source_design_id', '=', param('source'))
    .where('board_id', '=', param('board'))
    .where('source_version', '<', param('version')),
)

/** Marks copies of a design that are older than its new version as stale (A.7). */
export async function markStale(db: Db, { id, board_id, version }: Design): Promise<void> {
  await markCopies(db, { source: id, board: board_id, version })
}
