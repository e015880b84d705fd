import { toJson } from '../../lib/json.ts'
import { type Design, envelopeOf } from '../../planning/architecture/design.ts'
import { type DesignRow, designOf } from '../../planning/architecture/store.ts'
import { droppedPayloads, replacedDiagrams } from '../../planning/architecture/write.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import { architectureFormerPayload, architecturePayload, architectureVersion } from '../kinds/designs.ts'
import type { Kind } from '../kinds/kinds.ts'
import { withTexts } from '../kinds/members.ts'
import { type Row, type RowContext, rowFrom } from './rows.ts'
import type { SourceRecord } from './source.ts'

type Fields = Readonly<Record<string, readonly Row[]>>

/** The ids of the parts of a design that have ids. */
export const partsOf = ({ fields }: SourceRecord): string[] =>
  [...(fields.versions as Row[]), ...(fields.payloads as Row[])].map(({ id }) => String(id))

/** A design whose parts have other ids here; its diagrams and versions refer to its payloads by those ids. */
function withPartIds(record: SourceRecord, idOf: (part: Row) => string): SourceRecord {
  const { diagrams, versions, payloads } = record.fields as Fields
  const refs = new Map(payloads!.map(payload => [String(payload.id), idOf(payload)]))
  const renamed = <Value>(value: Value) =>
    withTexts(value, (name, text) => (name.endsWith('payload_ref') ? (refs.get(text) ?? text) : text)) as Value
  const fields = {
    ...record.fields,
    diagrams: renamed(diagrams),
    versions: versions!.map(version => ({ ...renamed(version), id: idOf(version) })),
    payloads: payloads!.map(payload => ({ ...payload, id: refs.get(String(payload.id)) })),
  }
  return { ...record, fields }
}

/** A design whose versions and payloads have ids of their own here. */
export const withOwnParts = (record: SourceRecord, newId: () => string): SourceRecord => withPartIds(record, newId)

/**
 * A design that exists here: its payloads are those of its diagrams, and parts that it lacks get ids.
 * @param idOf the id of a part that does not exist here
 */
export function withPartsOf(record: SourceRecord, before: Row, idOf: (part: Row) => string): SourceRecord {
  const refs = new Map(designIn(before).diagrams.map(({ id, adapter_payload_ref }) => [id, adapter_payload_ref]))
  return withPartIds(record, part => refs.get(String(part.diagram_id)) ?? idOf(part))
}

const designIn = (row: Row): Design => designOf(row as Partial<DesignRow> as DesignRow)

/** Rows of parts of a design. */
function partRows(
  of: readonly Row[],
  columns: Kind['columns'],
  place: SourceRecord['place'],
  naming: RowContext,
): Row[] {
  return of.map(part => rowFrom(columns, { fields: part, place }, naming))
}

/** The rows of a design's parts, from its line. */
export function partRowsOf({ fields, place }: SourceRecord, naming: RowContext) {
  const { versions = [], payloads = [], former_payloads = [] } = fields as Fields
  return {
    versions: partRows(versions, architectureVersion, place, naming),
    payloads: partRows(payloads, architecturePayload, place, naming),
    formerPayloads: partRows(former_payloads, architectureFormerPayload, place, naming),
  }
}

/**
 * What a later import writes to an existing design. Its versions are imported if only imports have changed it;
 * otherwise its new content becomes its next version.
 */
export function designRevision(
  record: SourceRecord,
  before: Row,
  changed: Row,
  { naming, isAsImported, newId }: { naming: RowContext; isAsImported: boolean; newId: () => string },
): ImportWrite & { readonly kind: 'design' } {
  const { board_id, id: design_id } = before
  const { versions, payloads, formerPayloads } = partRowsOf(record, naming)
  const [was, is] = [designIn(before), designIn({ ...before, ...changed })]
  const follows = isAsImported && Number(record.fields.version) >= was.version
  const version = follows ? Number(record.fields.version) : was.version + 1
  const hashes = new Map(was.diagrams.map(({ id, content_hash }) => [id, content_hash]))
  const contents = new Map(payloads.map(payload => [payload.id, payload]))
  return {
    kind: 'design',
    id: String(design_id),
    row: { ...changed, version },
    replaced: replacedDiagrams(was, is),
    dropped: droppedPayloads(was, is),
    payloads: is.diagrams.flatMap(({ id, adapter_payload_ref, content_hash }) => {
      const payload = hashes.get(id) === content_hash ? undefined : contents.get(adapter_payload_ref)
      return payload === undefined ? [] : [{ ...payload, board_id, design_id }]
    }),
    versions: follows
      ? versions.filter(row => Number(row.version) > was.version).map(row => ({ ...row, board_id, design_id }))
      : [{ ...nextVersion(is, versions.at(-1)), id: newId(), version, board_id, design_id }],
    formerPayloads: follows ? formerPayloads.map(row => ({ ...row, design_id })) : [],
  }
}

/** The version created by an import that does not bring one. */
const nextVersion = (design: Design, newest: Row | undefined): Row => ({
  content: toJson(envelopeOf(design)),
  change_summary: 'imported',
  created_by: newest?.created_by ?? design.created_by,
  created_at: design.updated_at,
})
