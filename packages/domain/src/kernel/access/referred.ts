import {
  isPartKind,
  type NamedKind,
  type PartKind,
  partKindOf,
  partKinds,
  partLetters,
  type ReferredKind,
  referredKinds,
} from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { addressedId, type PartReference, parseKey, parsePartReference, parseReference } from '../../lib/reference.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type NumberedTable, tables } from '../../schema/tables/all.ts'
import { waysTo } from './records.ts'

/** The caller that refers to records, and the one board to which the call may be confined. */
export interface Namer {
  readonly agentId: string
  readonly within: string | undefined
}

const recordTables: Readonly<Record<Exclude<ReferredKind, 'board'>, NumberedTable>> = {
  ideation: 'ideations',
  refinement: 'refinements',
  spec: 'specs',
  sprint: 'sprints',
  card: 'cards',
}

/** A text that may name a record, split into its parts; `number` is null for a key. */
interface ReferenceParts {
  readonly text: string
  readonly key: string
  readonly number: number | null
}

/** The visible record with the reference that a text names. */
interface FoundRow {
  text: string
  named: string | null
}

interface Parameters {
  /** JSON of `Asked[]`. */
  asked: string
  agent: string
  within: string | null
}

type Param = <Name extends keyof Parameters>(name: Name) => Parameters[Name]

const askedValue = sql.ref<string>('asked.value')

/** One part of the texts that are looked up. */
const askedFor = (part: keyof ReferenceParts) => dialect.jsonText(askedValue, part)

/** The board that has the requested key, or else the last one that had it. */
const boardOfKey = sql`coalesce(
  (select keyed.id from boards keyed where keyed.key = ${askedFor('key')}),
  (select former.board_id from former_board_keys former where former.key = ${askedFor('key')}))`

/** A board `b` that the agent sees; for a call confined to one board, only that board. */
const isVisible = (param: Param) => sql`(b.owner_id = ${param('agent')} or g.id is not null or s.id is not null)
  and (${param('within')} is null or b.id = ${param('within')})`

/** The query for a kind of record by reference or key, among the records that the agent sees. */
const finderOf = (kind: ReferredKind) => {
  const [id, records, byReference] =
    kind === 'board'
      ? [sql`b.id`, sql`boards b`, sql`b.id = ${boardOfKey} and ${askedFor('number')} is null`]
      : [
          sql`r.id`,
          sql`${sql.table(recordTables[kind])} r join boards b on b.id = r.board_id`,
          sql`r.board_id = ${boardOfKey} and r.number = ${dialect.jsonNumber(askedValue, 'number')}`,
        ]
  return hot<Parameters, FoundRow>((_, param) => {
    const visible = sql`${records} ${waysTo(param('agent'))} where ${isVisible(param)}`
    return sql<FoundRow>`select ${askedFor('text')} as text,
        (select ${id} from ${visible} and ${byReference}) as named
      from ${dialect.jsonElements(sql`${param('asked')}`)} asked`
  })
}

const finders = Object.fromEntries(referredKinds.map(kind => [kind, finderOf(kind)])) as Readonly<
  Record<ReferredKind, ReturnType<typeof finderOf>>
>

/** Where parts are stored: as rows that reference their record, or as entries of a list in the record. */
type PartPlace =
  | { readonly table: string; readonly owner: string; readonly owners: readonly string[] }
  | { readonly inside: string; readonly owner: NumberedTable }

/** The parts that are stored in their record. */
const insideRecords: Partial<Record<PartKind, readonly PartPlace[]>> = {
  knowledge: [{ inside: 'knowledge_bases', owner: 'cards' }],
  evaluation: [
    { inside: 'evaluations', owner: 'specs' },
    { inside: 'evaluations', owner: 'sprints' },
  ],
}

const rowsOf = (kind: PartKind): readonly PartPlace[] =>
  tables.flatMap(({ name, part }) =>
    part?.letter === partLetters[kind] ? [{ table: name, owner: part.by, owners: part.of }] : [],
  )

const placesOf = (kind: PartKind): readonly PartPlace[] => [...rowsOf(kind), ...(insideRecords[kind] ?? [])]

/** A text that may name a part of a record. */
interface CandidatePart extends PartReference {
  readonly text: string
}

const askedRecord = sql`r.board_id = ${boardOfKey} and r.number = ${dialect.jsonNumber(askedValue, 'number')}`

const askedPart = dialect.jsonNumber(askedValue, 'part')

/** The id of the requested part in one of the places where its kind is stored. */
const partIn = (place: PartPlace, param: Param) => {
  if ('inside' in place) {
    const entry = sql.ref<string>('p.value')
    return sql<string>`(select ${dialect.jsonText(entry, 'id')} from ${sql.table(place.owner)} r
      join boards b on b.id = r.board_id ${waysTo(param('agent'))},
      ${dialect.jsonElements(sql.ref<string | null>(`r.${place.inside}`))} p
      where ${isVisible(param)} and ${askedRecord}
        and coalesce(${dialect.jsonNumber(entry, 'number')}, p.key + 1) = ${askedPart} limit 1)`
  }
  const records = place.owners.map(records => sql`select r.id from ${sql.table(records)} r where ${askedRecord}`)
  return sql<string>`(select p.id from ${sql.table(place.table)} p
    join boards b on b.id = p.board_id ${waysTo(param('agent'))}
    where ${isVisible(param)} and p.number = ${askedPart}
      and ${sql.ref(`p.${place.owner}`)} in (${sql.join(records, sql` union all `)}))`
}

/** The query for a kind of part, among those on boards that the agent sees. */
const partFinderOf = (kind: PartKind) =>
  hot<Parameters, FoundRow>((_, param) => {
    const found = placesOf(kind).map(place => partIn(place, param))
    return sql<FoundRow>`select ${askedFor('text')} as text,
        ${found.length === 1 ? found[0] : sql`coalesce(${sql.join(found)})`} as named
      from ${dialect.jsonElements(sql`${param('asked')}`)} asked`
  })

const partFinders = Object.fromEntries(partKinds.map(kind => [kind, partFinderOf(kind)])) as Readonly<
  Record<PartKind, ReturnType<typeof partFinderOf>>
>

/** The kind of part that a text names where one of that kind is expected; undefined for any other text. */
function partOf(
  kind: NamedKind,
  text: string,
): { readonly kind: PartKind; readonly candidate: CandidatePart } | undefined {
  const reference = text.includes('.') ? parsePartReference(text) : undefined
  const found = reference && partKindOf(reference.letter)
  if (reference === undefined || found === undefined || (kind !== 'any' && kind !== found)) return undefined
  return { kind: found, candidate: { text, ...reference } }
}

/** The parts of a text that may name a record of a kind without being its id; undefined for any other text. */
function candidateParts(kind: NamedKind, text: string, name: string): ReferenceParts | undefined {
  if (isPartKind(kind)) return undefined
  const reference = kind === 'board' ? undefined : parseReference(name)
  if (reference !== undefined) return { text, ...reference }
  const key = kind === 'board' || kind === 'any' ? parseKey(name) : undefined
  return key === undefined ? undefined : { text, key, number: null }
}

/** The texts that may be references or keys, by the kind of record expected. */
export class ReferenceTexts {
  readonly #references = new Map<Exclude<NamedKind, PartKind>, Map<string, ReferenceParts>>()
  readonly #parts = new Map<PartKind, Map<string, CandidatePart>>()
  /** The id of the record that each address names, or its reference if the address contains that instead (crew 9.5). */
  readonly #addressed = new Map<string, string>()

  /** Adds a text if it has the form of a reference, an address, or (where a board is expected) a key; ids never do. */
  add = (kind: NamedKind, text: string): void => {
    const part = partOf(kind, text)
    if (part !== undefined) {
      const texts = this.#parts.get(part.kind) ?? new Map<string, CandidatePart>()
      this.#parts.set(part.kind, texts.set(text, part.candidate))
      return
    }
    const id = addressedId(text)
    if (id !== undefined) this.#addressed.set(text, id)
    const candidate = candidateParts(kind, text, id ?? text)
    if (candidate === undefined || isPartKind(kind)) return
    const texts = this.#references.get(kind) ?? new Map<string, ReferenceParts>()
    this.#references.set(kind, texts.set(text, candidate))
  }

  get isEmpty(): boolean {
    return this.#references.size === 0 && this.#parts.size === 0 && this.#addressed.size === 0
  }

  /**
   * Looks up the texts. The returned function gives the id of the record that a text names, or the text itself if it
   * names nothing visible of that kind, which is then handled like an unknown id. A reference is never taken for an id
   * (walls 1).
   */
  async find(db: Db, namer: Namer): Promise<(kind: NamedKind, text: string) => string> {
    const ids = new Map<NamedKind, ReadonlyMap<string, string>>()
    for (const [kind, texts] of this.#references) ids.set(kind, await idsOf(db, kind, [...texts.values()], namer))
    const parts = new Map<string, string>()
    for (const [kind, texts] of this.#parts)
      for (const [text, id] of await partIdsOf(db, kind, [...texts.values()], namer)) parts.set(text, id)
    return (kind, text) =>
      ids.get(kind)?.get(text) ?? (partOf(kind, text) && parts.get(text)) ?? this.#addressed.get(text) ?? text
  }
}

const parametersOf = (candidates: readonly object[], { agentId, within }: Namer): Parameters => ({
  asked: JSON.stringify(candidates),
  agent: agentId,
  within: within ?? null,
})

const namedOf = (found: readonly FoundRow[]): ReadonlyMap<string, string> =>
  new Map(found.flatMap(row => (row.named === null ? [] : [[row.text, row.named] as const])))

const partIdsOf = async (db: Db, kind: PartKind, candidates: readonly CandidatePart[], namer: Namer) =>
  namedOf(await partFinders[kind](db, parametersOf(candidates, namer)))

async function idsOf(
  db: Db,
  kind: Exclude<NamedKind, PartKind>,
  candidates: readonly ReferenceParts[],
  namer: Namer,
): Promise<ReadonlyMap<string, string>> {
  const parameters = parametersOf(candidates, namer)
  const found: FoundRow[] = []
  for (const each of kind === 'any' ? referredKinds : [kind]) found.push(...(await finders[each](db, parameters)))
  return namedOf(found)
}
