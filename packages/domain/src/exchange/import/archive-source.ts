import { hasTooManyParts, jsonFault, PrincipalKind, runCooperatively, withoutNewLimits } from '@specboard/contract'
import { z } from 'zod'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import type { NamedAgent } from '../archive/authors.ts'
import { files, isAttachment } from '../archive/layout.ts'
import { type ArchiveEntry, archiveFormat, archiveVersion, Manifest } from '../archive/manifest.ts'
import type { Column } from '../kinds/columns.ts'
import { architectureFormerPayload, architecturePayload, architectureVersion } from '../kinds/designs.ts'
import { event, kindOf, type RecordType, recordTypes } from '../kinds/kinds.ts'
import { jsonLines } from './lines.ts'
import { type OwnIds, refusingOtherIds, replacingOtherIds } from './own-ids.ts'
import { type FilePosition, ofOtherFormat, refused } from './refused.ts'
import type { Source, SourceRecord } from './source.ts'
import { altered, verified, type Zip, type ZipEntry } from './zip.ts'

const schemaOf = (columns: Readonly<Record<string, Column>>, more: Readonly<Record<string, z.ZodType>> = {}) =>
  z.strictObject({
    ...Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])),
    ...more,
  })

/** The parts that are contained in the line of a design. */
const nestedColumns = {
  versions: architectureVersion,
  payloads: architecturePayload,
  former_payloads: architectureFormerPayload,
} as const

const nested = {
  versions: z.array(schemaOf(nestedColumns.versions)),
  payloads: z.array(schemaOf(nestedColumns.payloads)),
  // Archives of 0.2.0 and before do not have them.
  former_payloads: z.array(schemaOf(nestedColumns.former_payloads)).optional(),
}

const columnsOfType = (type: string) => (type === 'event' ? event : kindOf.get(type)?.columns)

/** The schema of each kind of line, made when first needed. */
const schemas = new Map<string, z.ZodType>()

function schemaOfType(type: string): z.ZodType | undefined {
  const cached = schemas.get(type)
  if (cached !== undefined) return cached
  const columns = columnsOfType(type)
  if (columns === undefined) return undefined
  const schema = schemaOf(columns, type === 'architecture' ? nested : {})
  schemas.set(type, schema)
  return schema
}

/** An agent's id may be longer than a record's: for an author without one it is derived from the name. */
const Agent = z.strictObject({ id: z.string().min(1), name: z.string().min(1), kind: PrincipalKind.optional() })

/** What is wrong with a line. Lists and free JSON may be longer than requests allow today (trust 1). */
function faultOf(schema: z.ZodType, value: unknown): string | undefined {
  const parsed = schema.safeParse(value)
  if (parsed.success) return undefined
  const [issue] = withoutNewLimits(parsed.error.issues)
  return issue && `${issue.path.join('.') || 'the line'}: ${issue.message}`
}

/**
 * Opens a board's archive (exchange 1).
 * @param keepsIds whether its records keep their ids; otherwise those of another form get new ones
 */
export async function archiveSource(zip: Zip, keepsIds: boolean): Promise<Source> {
  const ownIds = keepsIds ? refusingOtherIds : replacingOtherIds()
  const manifest = await readManifest(zip, ownIds)
  const expected = new Map(manifest.entries.map(entry => [entry.name, entry]))
  refuseOtherEntries(zip, expected)
  /** The bytes of an entry, checked against the manifest when they are read for the first time. */
  const bytesOf = (name: string, again = false) => {
    const bytes = zip.bytes(zip.entries.get(name)!)
    return again ? bytes : verified(bytes, expected.get(name)!)
  }
  const agents = new Map<string, NamedAgent>()
  for await (const { value, place } of jsonLines(bytesOf(files.agents), files.agents)) {
    const fault = faultOf(Agent, value)
    if (fault !== undefined) throw refused(`The line is not an agent: ${fault}`, place)
    const { id, name, kind = null } = value as z.output<typeof Agent>
    agents.set(ownIds.agent(id, place), { name, kind })
  }
  return {
    format: 'specboard',
    board: manifest.board,
    service: serviceOf(manifest),
    countsRevisions: manifest.version === 1,
    agents,
    total: Object.values(manifest.counts).reduce((sum, count) => sum + count, 0),
    records: again => recordsIn(bytesOf(files.records, again), manifest, { again, ownIds }),
    events: again => {
      if (!expected.has(files.events)) return nothing()
      return eventsIn(bytesOf(files.events, again), { again, ownIds })
    },
    attachment: sha256 => {
      const entry = zip.entries.get(files.attachment(sha256))
      return entry && { size: entry.size, bytes: () => zip.bytes(entry) }
    },
    close: () => zip.close(),
  }
}

/** The origin of an archive, in words: stored with evidence that counted there and is a claim here (evidence 14). */
const serviceOf = ({ service_version, board }: Manifest): string =>
  `Specboard ${service_version.slice(0, 50)}, board ${board.key.slice(0, 50)}`

async function* nothing(): AsyncGenerator<never> {}

/** Whether a zip claims to be an archive of this service. */
export async function isArchive(zip: Zip): Promise<boolean> {
  const entry = zip.entries.get(files.manifest)
  return entry !== undefined && isNamed(await manifestValue(zip, entry))
}

/**
 * Whether a zip has the files of an archive, whatever its manifest says: an archive is whole or refused (imports 1, rule 3),
 * and never read as lines of another tool.
 */
export const hasArchiveLayout = ({ entries }: Zip): boolean => entries.has(files.records) && entries.has(files.agents)

const isNamed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === archiveFormat

/**
 * Maximum size of a manifest, bytes, and maximum number of parts of its JSON: it grows with the number of attachments.
 */
const largestManifest = 64 << 20
const maxManifestParts = 1_000_000

async function manifestValue(zip: Zip, entry: ZipEntry): Promise<unknown> {
  if (entry.size > largestManifest) return undefined
  const json = await zip.content(entry)
  if (await runCooperatively(hasTooManyParts(json, maxManifestParts), yieldToEventLoop)) return undefined
  try {
    return JSON.parse(json.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function readManifest(zip: Zip, ownIds: OwnIds): Promise<Manifest> {
  const entry = zip.entries.get(files.manifest)
  const value = entry === undefined ? undefined : await manifestValue(zip, entry)
  if (!isNamed(value)) throw ofOtherFormat('The zip is not an archive of a board: manifest.json does not say so.')
  const { version, service_version: program } = value as { version?: unknown; service_version?: unknown }
  if (typeof version === 'number' && version > archiveVersion)
    throw refused(`The archive has version ${version}. Specboard ${String(program)} or newer reads it`, {
      entry: files.manifest,
    })
  const fault = jsonFault(value)
  if (fault !== undefined)
    throw refused(`The manifest is not valid: ${fault.path.join('.')} ${fault.message}`, { entry: files.manifest })
  const parsed = Manifest.safeParse(value)
  if (parsed.success) {
    const { board } = parsed.data
    return { ...parsed.data, board: { ...board, id: ownIds.board(board.id, { entry: files.manifest }) } }
  }
  const [issue] = parsed.error.issues
  throw refused(`The manifest is not valid: ${issue!.path.join('.')}: ${issue!.message}`, { entry: files.manifest })
}

function refuseOtherEntries(zip: Zip, expected: ReadonlyMap<string, ArchiveEntry>): void {
  for (const { name, spelt } of zip.entries.values()) {
    const isKnown = name === files.records || name === files.events || name === files.agents || isAttachment(name)
    if (name !== files.manifest && (!isKnown || !expected.has(name)))
      throw refused('The archive has a file that its manifest does not name or that archives do not have', {
        entry: spelt,
      })
  }
  for (const name of [files.records, files.agents, ...expected.keys()])
    if (!zip.entries.has(name)) throw refused('The archive lacks a file of its manifest', { entry: name })
  for (const { name, size, sha256 } of expected.values())
    if (zip.entries.get(name)!.size !== size || (isAttachment(name) && name !== files.attachment(sha256)))
      throw altered(name)
}

/** How lines are read. */
interface LineReading {
  /** Whether they were read before, so that nothing needs to be checked. */
  readonly again: boolean
  readonly ownIds: OwnIds
}

async function* recordsIn(
  bytes: AsyncIterable<Uint8Array>,
  { board, counts }: Manifest,
  reading: LineReading,
): AsyncGenerator<SourceRecord> {
  let rank = 0
  const found: Record<string, number> = {}
  for await (const { value, place } of jsonLines(bytes, files.records)) {
    const record = recordOf(value, place, reading)
    const at = recordTypes.indexOf(record.type)
    if (at < rank) throw refused(`A ${record.type} comes after records of a later kind`, place)
    if (place.line === 1 ? record.type !== 'board' : record.type === 'board')
      throw refused('The first line, and only it, must be the board', place)
    if (record.type === 'board' && record.id !== board.id)
      throw refused('The board is not the one in the manifest', place)
    rank = at
    found[record.type] = (found[record.type] ?? 0) + 1
    yield record
  }
  if (rank === 0 && found.board === undefined) throw refused('The archive has no board', { entry: files.records })
  for (const type of recordTypes)
    if ((found[type] ?? 0) !== (counts[type] ?? 0))
      throw refused(`The number of records of kind ${type} is not that of the manifest`, { entry: files.records })
}

async function* eventsIn(bytes: AsyncIterable<Uint8Array>, reading: LineReading): AsyncGenerator<SourceRecord> {
  let last = 0
  for await (const { value, place } of jsonLines(bytes, files.events)) {
    if (value.type !== 'event') throw refused('The line is not an event', place)
    const { type: _, ...raw } = value
    const fields = judged('event', raw, place, reading)
    if ((fields.sequence as number) <= last) throw refused('The events are not ordered by sequence', place)
    last = fields.sequence as number
    yield { type: 'history', id: String(fields.id), fields, place }
  }
}

function recordOf({ type, ...raw }: Record<string, unknown>, place: FilePosition, reading: LineReading): SourceRecord {
  if (typeof type !== 'string' || !kindOf.has(type)) throw refused(`Unknown kind of record: ${String(type)}`, place)
  const fields = judged(type, raw, place, reading)
  return { type: type as RecordType, id: idOf(type, fields), fields, place }
}

/** What identifies a record within its kind. */
function idOf(type: string, fields: Readonly<Record<string, unknown>>): string {
  if (type === 'external_id') return `${fields.source} ${fields.external_id}`
  if (type === 'change_link') return `${fields.change_id} ${fields.entity_id}`
  if (type === 'scenario_result') return `${fields.spec_id} ${fields.scenario_id} ${fields.tier}`
  if (type === 'waiver') return String(fields.card_id)
  if (type === 'done_tier') return String(fields.entity_id)
  return String(fields.id)
}

/**
 * The fields of a line, with checked ids.
 * @throws DomainError VALIDATION_ERROR
 */
function judged(type: string, raw: Record<string, unknown>, place: FilePosition, { again, ownIds }: LineReading) {
  if (!again) {
    const fault = faultOf(schemaOfType(type)!, raw)
    if (fault !== undefined) throw refused(`The line is not a valid ${type.replaceAll('_', ' ')}: ${fault}`, place)
  } else if (ownIds === refusingOtherIds) return raw
  const fields = ownIds.fields(columnsOfType(type)!, raw, place)
  return type === 'architecture' ? { ...fields, ...partsOf(fields, place, ownIds) } : fields
}

/** The parts of a design, with checked ids. */
const partsOf = (fields: Record<string, unknown>, place: FilePosition, ownIds: OwnIds) =>
  Object.fromEntries(
    Object.entries(nestedColumns).flatMap(([name, columns]) => {
      const parts = fields[name] as Record<string, unknown>[] | undefined
      return parts === undefined ? [] : [[name, parts.map(part => ownIds.fields(columns, part, place))]]
    }),
  )
