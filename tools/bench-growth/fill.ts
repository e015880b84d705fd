import { idSource } from '@specboard/domain'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { progress } from '../progress.ts'

/** A board with the first record of each kind, created by the service, from which the others are copied. */
export interface Seeded {
  readonly board_id: string
  readonly ideation_id: string
  readonly spec_id: string
  readonly card_id: string
}

/** A filled board, with some of its records from all over its lists. */
export interface Filled extends Seeded {
  /** The number of its ideations; half of them are drafts, which may be changed. */
  readonly ideations: number
  readonly draft_ids: readonly string[]
  readonly card_ids: readonly string[]
}

/** Of ten records four are ideations, one is a spec, and five are cards of that spec. */
const ofTen = ['spec', 'card', 'card', 'card', 'card', 'card', 'ideation', 'ideation', 'ideation', 'ideation'] as const

const tables = { ideation: 'ideations', spec: 'specs', card: 'cards' } as const
type Kind = keyof typeof tables

const statuses: Readonly<Record<Kind, readonly string[]>> = {
  ideation: ['draft', 'review'],
  spec: ['in_progress'],
  card: ['not_started', 'not_started', 'done', 'in_progress', 'not_started'],
}

/** How many ids of each kind a filled board tells. */
const told = 200

/** How far apart records are in time, ms. */
const apart = 1_000

/**
 * Fills the boards of a folder's database, which no server uses, with this many records each, and with an entry of the
 * event log for each. Records are copies of the board's first ones with ids, titles and times of their own: several
 * hundred times faster than calls. They are not queued for the knowledge graph.
 */
export function fill(folder: string, boards: readonly Seeded[], recordsEach: number): Filled[] {
  const database = new SqliteDatabase(databaseFile(folder))
  database.pragma('foreign_keys = off')
  database.pragma('synchronous = off')
  database.pragma('cache_size = -262144')
  const bar = progress('fill', boards.length * recordsEach)
  // A board at a time, as its records would lie if they were written in one stretch; a transaction for each.
  const filled = boards.map(board => {
    const made = database.transaction(() => fillBoard(database, board, recordsEach))()
    bar.step(recordsEach)
    return made
  })
  bar.end()
  // On the disk before anything is measured.
  database.pragma('synchronous = full')
  database.pragma('wal_checkpoint(truncate)')
  database.close()
  return filled
}

function fillBoard(database: SqliteDatabase.Database, seeded: Seeded, records: number): Filled {
  let now = Date.now() - (records + 1) * apart
  const newId = idSource(() => now)
  const copies = {
    ideation: copier(database, 'ideations', seeded.ideation_id),
    spec: copier(database, 'specs', seeded.spec_id),
    card: copier(database, 'cards', seeded.card_id),
  }
  const log = eventCopier(database, seeded)
  const numbers = numbering(database, seeded)
  let ideations = 1
  const drafts: string[] = []
  const cards: string[] = []
  let spec_id = seeded.spec_id
  for (let index = 0; index < records; index++) {
    now += apart
    const kind = ofTen[index % ofTen.length]!
    const id = newId()
    if (kind === 'spec') spec_id = id
    const at = new Date(now).toISOString()
    const status = statuses[kind][index % statuses[kind].length]!
    copies[kind]({
      id,
      spec_id,
      status,
      at,
      title: `Record ${index} of the ${kind}s`,
      position: index,
      number: numbers.next(),
    })
    log(kind, { id, event: newId(), at })
    if (kind === 'ideation') ideations++
    if (status === 'draft') drafts.push(id)
    if (kind === 'card') cards.push(id)
  }
  log.end()
  numbers.end()
  const spread = (all: readonly string[]) => all.filter((_, place) => place % Math.ceil(all.length / told) === 0)
  return {
    ...seeded,
    ideations,
    draft_ids: spread(drafts),
    card_ids: spread(cards),
  }
}

/** Logs a change of the board's first card so often that the folder's database has this many entries for the board. */
export function moreEvents(folder: string, { board_id, card_id }: Seeded, wanted: number): void {
  const database = new SqliteDatabase(databaseFile(folder))
  const { first } = database
    .prepare<[string], { first: string }>('select id as first from events where entity_id = ? order by seq limit 1')
    .get(card_id)!
  let { seq, count } = database
    .prepare<[string], { seq: number; count: number }>(
      'select seq, (select count(*) from events where board_id = boards.id) as count from boards where id = ?',
    )
    .get(board_id)!
  const newId = idSource(Date.now)
  const values = { id: '@event', seq: '@seq', created_at: '@at', position: 'null', action: "'card_updated'" }
  const copy = copying(database, 'events', values, '@first')
  database.transaction(() => {
    for (; count < wanted; count++) copy.run({ event: newId(), seq: ++seq, at: new Date().toISOString(), first })
    database.prepare('update boards set seq = ? where id = ?').run(seq, board_id)
  })()
  database.close()
}

interface Copy {
  readonly id: string
  readonly spec_id: string
  readonly status: string
  readonly at: string
  readonly title: string
  readonly position: number
  readonly number: number
}

/** The columns of a copy that are its own, with their values as parameters. */
const own: Readonly<Record<string, string>> = {
  id: '@id',
  title: '@title',
  status: '@status',
  created_at: '@at',
  updated_at: '@at',
  moved_at: '@at',
  position: '@position',
  number: '@number',
}

/** Copies a row of a table, and for a card its place under a spec. */
function copier(database: SqliteDatabase.Database, table: string, id: string): (copy: Copy) => void {
  const values = table === 'cards' ? { ...own, spec_id: '@spec_id' } : own
  const statement = copying(database, table, values, '@first')
  return copy => statement.run({ ...copy, first: id })
}

function copying(
  database: SqliteDatabase.Database,
  table: string,
  values: Readonly<Record<string, string>>,
  id: string,
): SqliteDatabase.Statement {
  const columns = (database.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name)
  const copied = columns.map(name => values[name] ?? `"${name}"`)
  return database.prepare(`insert into "${table}" (${columns.map(name => `"${name}"`)})
    select ${copied} from "${table}" where id = ${id}`)
}

/** Logs copies as the creation of their first record was logged, with the next numbers of the board's sequence. */
function eventCopier(database: SqliteDatabase.Database, seeded: Seeded) {
  const firstOf = database.prepare<[string], { id: string }>(
    'select id from events where entity_id = ? order by seq limit 1',
  )
  const firsts = {
    ideation: firstOf.get(seeded.ideation_id)!.id,
    spec: firstOf.get(seeded.spec_id)!.id,
    card: firstOf.get(seeded.card_id)!.id,
  }
  const values = { id: '@event', entity_id: '@id', seq: '@seq', created_at: '@at', position: 'null' }
  const logs = {
    ideation: copying(database, 'events', values, '@first'),
    spec: copying(database, 'events', values, '@first'),
    card: copying(database, 'events', { ...values, card_id: '@id' }, '@first'),
  }
  let { seq } = database.prepare<[string], { seq: number }>('select seq from boards where id = ?').get(seeded.board_id)!
  const log = (kind: Kind, copy: { readonly id: string; readonly event: string; readonly at: string }) =>
    logs[kind].run({ ...copy, seq: ++seq, first: firsts[kind] })
  return Object.assign(log, {
    end: () => database.prepare('update boards set seq = ? where id = ?').run(seq, seeded.board_id),
  })
}

/** The next numbers of the board's records. */
function numbering(database: SqliteDatabase.Database, { board_id }: Seeded) {
  let { number } = database
    .prepare<[string], { number: number }>('select last_number as number from boards where id = ?')
    .get(board_id)!
  return {
    next: () => ++number,
    end: () => database.prepare('update boards set last_number = ? where id = ?').run(number, board_id),
  }
}
