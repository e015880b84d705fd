import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { derivedId, isId } from '../../lib/ids.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { numberedTables } from '../../schema/tables/all.ts'
import type { ExternalIdsTable } from '../../schema/tables.ts'
import { kindOf, type RecordType } from '../kinds/kinds.ts'
import type { TitleDigests } from './known-records.ts'
import type { Row } from './rows.ts'

/** What a board knows about a record that was imported before. */
export interface EarlierImport {
  readonly entity_type: string
  readonly entity_id: string
  /** The digests of the values that were imported last, by field. */
  readonly imported: Readonly<Record<string, string>>
}

const listOf = (ids: readonly string[]) => sql.val(JSON.stringify(ids))

/** The records of a source that a board knows, by external id. */
export async function knownBy(
  db: Db,
  board: string,
  source: string,
  ids: readonly string[],
): Promise<Map<string, EarlierImport>> {
  const { rows } = await sql<Pick<ExternalIdsTable, 'external_id' | 'entity_type' | 'entity_id' | 'imported'>>`
    select external_id, entity_type, entity_id, imported from external_ids
    where board_id = ${board} and source = ${source}
      and ${dialect.inList(sql.ref('external_id'), listOf(ids))}`.execute(db)
  return new Map(
    rows.map(({ external_id, imported, ...entity }) => [external_id, { ...entity, imported: parseJson(imported) }]),
  )
}

/**
 * The digests of the titles that were last imported for a board's specs and cards, by external id; if two formats share
 * an id, the last entry counts.
 */
export async function titleDigestsOf(db: Db, board: string): Promise<TitleDigests> {
  const { rows } = await sql<Pick<ExternalIdsTable, 'external_id' | 'imported'>>`
    select external_id, imported from external_ids
    where board_id = ${board} and entity_type in ('spec', 'card')`.execute(db)
  return rows.flatMap(({ external_id, imported }) => {
    const { title } = parseJson<Record<string, string>>(imported)
    return title === undefined ? [] : [[external_id, title] as const]
  })
}

/** Rows with ids, on whatever board, by id; those of `board` completely, of others only `id` and `board_id`. */
export async function existingRows(
  db: Db,
  board: string,
  type: RecordType,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  if (type === 'external_id') return new Map()
  const { table } = kindOf.get(type)!
  const boardColumn = type === 'board' ? sql.ref('id') : sql.ref('board_id')
  const { rows } = await sql<Row & { id: string }>`select *, ${boardColumn} as board_id from ${sql.table(table)}
    where ${dialect.inList(sql.ref('id'), listOf(ids))}`.execute(db)
  const found = new Map(rows.map(row => [row.id, row as Row]))
  if (type === 'graph_action') for (const row of await sessions(db, ids)) found.set(row.id, row)
  if (type !== 'knowledge') return found
  for (const [id, row] of await onCards(db, board, ids)) found.set(id, row)
  return found
}

/** The sessions of the graph with these ids; archives contain them as actions. */
const sessions = (db: Db, ids: readonly string[]): Promise<{ id: string; board_id: string }[]> =>
  db
    .selectFrom('kg_sessions')
    .select(['id', 'board_id'])
    .where(eb => dialect.inList(eb.ref('id'), JSON.stringify(ids)))
    .execute()

/**
 * Knowledge in the cards of a board, as rows of knowledge, by the ids used in archives: those chosen by callers are
 * replaced there (walls 1).
 */
async function onCards(db: Db, board: string, ids: readonly string[]): Promise<[string, Row][]> {
  const item = (name: string) => dialect.jsonText(sql.ref<string>('k.value'), name)
  const { rows } = await sql<{
    card: string
    item: string
    place: number
  }>`select cards.id as card, k.value as item, k.key + 1 as place
    from cards, ${dialect.jsonElements(sql.ref<string | null>('cards.knowledge_bases'))} k
    where cards.board_id = ${board} and cards.knowledge_bases <> '[]'
      and (${dialect.inList(item('id'), listOf(ids))} or length(${item('id')}) <> 36 or ${item('id')} <> lower(${item('id')}))`.execute(
    db,
  )
  return rows.map(({ card, place, item: text }) => {
    const { author_id, ...stored } = JSON.parse(text) as Row
    const id = String(stored.id)
    return [
      isId(id) ? id : derivedId(id),
      { number: Number(place), ...stored, board_id: board, owner_type: 'card', owner_id: card, created_by: author_id },
    ]
  })
}

/** Cards that are scanned at once. */
const cardsAtOnce = 500

/** The ids of the knowledge in cards of other boards, which no index contains. */
export async function knowledgeOnOtherCards(
  read: <Value>(run: (ctx: { readonly db: Db }) => Promise<Value>) => Promise<Value>,
  board: string,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let after = '', more = true; more; ) {
    const { cards, items } = await read(({ db }) => knowledgeBehind(db, board, after))
    for (const item of items) found.add(item)
    more = cards.length === cardsAtOnce
    after = cards.at(-1) ?? after
  }
  return found
}

/** The next cards by id, and the ids of the knowledge on those of other boards. */
async function knowledgeBehind(db: Db, board: string, after: string) {
  const rows = await db
    .selectFrom('cards')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(cardsAtOnce)
    .execute()
  const cards = rows.map(({ id }) => id)
  const { rows: items } = await sql<{ id: string }>`select ${dialect.jsonText(sql.ref<string>('k.value'), 'id')} as id
    from cards, ${dialect.jsonElements(sql.ref<string | null>('cards.knowledge_bases'))} k
    where ${dialect.inList(sql.ref('cards.id'), listOf(cards))} and cards.board_id <> ${board}
      and cards.knowledge_bases <> '[]'`.execute(db)
  return { cards, items: items.map(({ id }) => id) }
}

/** Which of some ids belong to versions and payloads of designs, on any board. */
export async function existingParts(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${sql.join(
    ['architecture_versions', 'architecture_payloads'].map(
      table => sql`select id from ${sql.table(table)} where ${dialect.inList(sql.ref('id'), listOf(ids))}`,
    ),
    sql` union all `,
  )}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The snapshots that some records have, each as its owner's id and version. */
export async function snapshotVersions(db: Db, board: string, owners: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('snapshots')
    .select(['owner_id', 'version'])
    .where('board_id', '=', board)
    .where(eb => dialect.inList(eb.ref('owner_id'), JSON.stringify(owners)))
    .execute()
  return new Set(rows.map(({ owner_id, version }) => `${owner_id} ${version}`))
}

/** The global guidelines that a board links. */
export async function linkedGuidelines(db: Db, board: string): Promise<Set<string>> {
  const rows = await db.selectFrom('board_guidelines').select('guideline_id').where('board_id', '=', board).execute()
  return new Set(rows.map(({ guideline_id }) => guideline_id))
}

/** The keys that identify the repositories of a board. */
export async function repositoryNames(db: Db, board: string): Promise<Set<string>> {
  const rows = await db.selectFrom('repositories').select('name_key').where('board_id', '=', board).execute()
  return new Set(rows.map(({ name_key }) => name_key))
}

/** The keys that identify the changes of a board with certain names. */
export async function existingChanges(db: Db, board: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('changes')
    .select(['repository_id', 'kind', 'key'])
    .where('board_id', '=', board)
    .where(eb => dialect.inList(eb.ref('key'), JSON.stringify(keys)))
    .execute()
  return new Set(rows.map(({ repository_id, kind, key }) => `${repository_id} ${kind} ${key}`))
}

/** The two ends of the links that some changes have. */
export async function existingLinks(db: Db, changes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('change_links')
    .select(['change_id', 'entity_id'])
    .where(eb => dialect.inList(eb.ref('change_id'), JSON.stringify(changes)))
    .execute()
  return new Set(rows.map(({ change_id, entity_id }) => `${change_id} ${entity_id}`))
}

/** The identity of a scenario's result. */
export const resultKey = ({ spec_id, scenario_id, tier }: Row): string => JSON.stringify([spec_id, scenario_id, tier])

/** The existing results of the scenarios of some specs, local or imported. */
export async function existingResults(db: Db, specs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<Row>`${sql.join(
    ['scenario_results', 'imported_results'].map(
      table => sql`select spec_id, scenario_id, tier from ${sql.table(table)}
        where ${dialect.inList(sql.ref('spec_id'), listOf(specs))}`,
    ),
    sql` union all `,
  )}`.execute(db)
  return new Set(rows.map(resultKey))
}

/** Which of some cards have a waiver. */
export async function existingWaivers(db: Db, cards: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('card_waivers')
    .select('card_id')
    .where(eb => dialect.inList(eb.ref('card_id'), JSON.stringify(cards)))
    .execute()
  return new Set(rows.map(({ card_id }) => card_id))
}

/** Which of some records have the tier that they were done with. */
export async function existingDoneTiers(db: Db, records: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('done_tiers')
    .select('entity_id')
    .where(eb => dialect.inList(eb.ref('entity_id'), JSON.stringify(records)))
    .execute()
  return new Set(rows.map(({ entity_id }) => entity_id))
}

/** The keys that identify the authors assigned on a board. */
export async function existingAuthors(db: Db, board: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('change_authors')
    .select(['repository_id', 'email', 'login'])
    .where('board_id', '=', board)
    .execute()
  return new Set(rows.map(authorKey))
}

/** The key of an author on a board. */
export const authorKey = ({ repository_id, email, login }: Row): string => JSON.stringify([repository_id, email, login])

/** Which of some numbers belong to records of a board. */
export async function numbersTaken(db: Db, board: string, numbers: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`${sql.join(
    numberedTables.map(
      table => sql`select number from ${sql.table(table)} where board_id = ${board}
        and ${dialect.inNumbers(sql.ref('number'), JSON.stringify(numbers))}`,
    ),
    sql` union all `,
  )}`.execute(db)
  return new Set(rows.map(({ number }) => number))
}

/** The names of the saved searches of a board. */
export async function searchNames(db: Db, board: string): Promise<Set<string>> {
  const rows = await db.selectFrom('saved_searches').select('name').where('board_id', '=', board).execute()
  return new Set(rows.map(({ name }) => name))
}

/** Which of some records the log of a board mentions. */
export async function loggedRecords(db: Db, board: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('events')
    .select('entity_id')
    .distinct()
    .where('board_id', '=', board)
    .where(eb => dialect.inList(eb.ref('entity_id'), JSON.stringify(ids)))
    .execute()
  return new Set(rows.map(({ entity_id }) => entity_id))
}
