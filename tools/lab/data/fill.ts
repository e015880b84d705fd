import { type DatabasePlace, idSource, readWithoutLock } from '@specboard/domain'
import { progress } from '../harness/progress.ts'
import { type Load, type Loader, maxEvents, type Row } from './loader.ts'
import { postgresLoader } from './postgres-loader.ts'
import { sqliteLoader } from './sqlite-loader.ts'

/** A board with the first record of each kind, created by the service, from which the others are copied. */
export interface SeededBoard {
  readonly board_id: string
  readonly ideation_id: string
  readonly spec_id: string
  readonly card_id: string
}

/** A filled board, with some of its records from all over its lists. */
export interface FilledBoard extends SeededBoard {
  /** The number of its ideations; half of them are drafts, which may be changed. */
  readonly ideations: number
  readonly draft_ids: readonly string[]
  readonly card_ids: readonly string[]
}

/** Of ten records four are ideations, one is a spec, and five are cards of that spec. */
const ofTen = ['spec', 'card', 'card', 'card', 'card', 'card', 'ideation', 'ideation', 'ideation', 'ideation'] as const

/** The tables of the kinds; each comes before those that refer to it. */
const tables = { ideation: 'ideations', spec: 'specs', card: 'cards' } as const
type Kind = keyof typeof tables
const kinds = Object.keys(tables) as Kind[]

const statuses: Readonly<Record<Kind, readonly string[]>> = {
  ideation: ['draft', 'review'],
  spec: ['in_progress'],
  card: ['not_started', 'not_started', 'done', 'in_progress', 'not_started'],
}

/** How many ids of each kind a filled board returns. */
const maxReturnedIds = 200

/** How far apart records are in time, ms. */
const apart = 1_000

/**
 * Fills boards of a database, which no server uses, with this many records each, and with an entry of the event log for
 * each. Records are copies of the board's first ones with ids, titles and times of their own. They are not queued for
 * the knowledge graph.
 */
export async function fill(
  place: DatabasePlace,
  boards: readonly SeededBoard[],
  recordsEach: number,
): Promise<readonly FilledBoard[]> {
  const origins: Origin[] = []
  for (const board of boards) origins.push(await originOf(place, board))
  const loader = await loaderFor(place)
  const bar = progress('fill', boards.length * recordsEach)
  const filled: FilledBoard[] = []
  // One board at a time, so that its records are stored together.
  for (const origin of origins) {
    filled.push(await fillBoard(loader, origin, recordsEach))
    bar.step(recordsEach)
  }
  bar.end()
  await loader.end()
  return filled
}

/** Logs a change of the board's first card so often that the database has this many entries for the board. */
export async function moreEvents(place: DatabasePlace, board: SeededBoard, count: number): Promise<void> {
  const { counted, first } = await originOf(place, board)
  const newId = idSource(Date.now)
  const loader = await loaderFor(place)
  for (let seq = counted.seq; seq < count; ) {
    const events = Array.from({ length: Math.min(maxEvents, count - seq) }, (_, index) => ({
      ...first.card.event,
      id: newId(),
      seq: seq + index + 1,
      created_at: new Date().toISOString(),
      action: 'card_updated',
    }))
    seq += events.length
    await loader.load({ board_id: board.board_id, ...counted, seq, records: new Map(), events })
  }
  await loader.end()
}

/** Writes into the database of a place. */
const loaderFor = ({ folder, databaseUrl }: DatabasePlace): Promise<Loader> =>
  databaseUrl === undefined ? sqliteLoader(folder) : postgresLoader({ folder, databaseUrl })

/** The originals of a board's copies, and its counters. */
interface Origin {
  readonly seeded: SeededBoard
  readonly counted: Pick<Load, 'seq' | 'last_number'>
  /** The last positions in the columns. */
  readonly lastPositions: ReadonlyMap<string, number>
  readonly first: Readonly<Record<Kind, Pick<Copy, 'row' | 'event'>>>
}

const originOf = (place: DatabasePlace, seeded: SeededBoard): Promise<Origin> =>
  readWithoutLock(place, async db => {
    const first = async (kind: Kind) => ({
      row: await db
        .selectFrom(tables[kind])
        .selectAll()
        .where('id', '=', seeded[`${kind}_id`])
        .executeTakeFirstOrThrow(),
      event: await db
        .selectFrom('events')
        .selectAll()
        .where('entity_id', '=', seeded[`${kind}_id`])
        .orderBy('seq')
        .executeTakeFirstOrThrow(),
    })
    const last = await db
      .selectFrom('cards')
      .select(({ fn }) => ['status', fn.max('position').as('position')])
      .where('board_id', '=', seeded.board_id)
      .groupBy('status')
      .execute()
    return {
      seeded,
      counted: await db
        .selectFrom('boards')
        .select(['seq', 'last_number'])
        .where('id', '=', seeded.board_id)
        .executeTakeFirstOrThrow(),
      lastPositions: new Map(last.map(({ status, position }) => [status, position])),
      first: { ideation: await first('ideation'), spec: await first('spec'), card: await first('card') },
    }
  })

async function fillBoard(loader: Loader, origin: Origin, records: number): Promise<FilledBoard> {
  const { seeded, counted } = origin
  const next = copier(origin, records)
  const filled = { ideations: 1, drafts: [] as string[], cards: [] as string[] }
  for (let count = 0; count < records; ) {
    const copies = Array.from({ length: Math.min(maxEvents, records - count) }, next)
    count += copies.length
    await loader.load({
      board_id: seeded.board_id,
      seq: counted.seq + count,
      last_number: counted.last_number + count,
      records: new Map(
        kinds.map(kind => [tables[kind], copies.filter(copy => copy.kind === kind).map(({ row }) => row)]),
      ),
      events: copies.map(({ event }) => event),
    })
    for (const { kind, id, status } of copies) {
      if (kind === 'ideation') filled.ideations++
      if (status === 'draft') filled.drafts.push(id)
      if (kind === 'card') filled.cards.push(id)
    }
  }
  const spread = (all: readonly string[]) =>
    all.filter((_, place) => place % Math.ceil(all.length / maxReturnedIds) === 0)
  return {
    ...seeded,
    ideations: filled.ideations,
    draft_ids: spread(filled.drafts),
    card_ids: spread(filled.cards),
  }
}

/** A copy of a board's first record of a kind, and of the entry that logged its creation. */
interface Copy {
  readonly kind: Kind
  readonly id: string
  readonly status: string
  readonly row: Row
  readonly event: Row
}

/** Makes the copies of a board's records one after the other, the last one as if it were made now. */
function copier({ seeded, counted, lastPositions, first }: Origin, records: number): () => Copy {
  let now = Date.now() - (records + 1) * apart
  let index = 0
  let { spec_id } = seeded
  const newId = idSource(() => now)
  const nextPosition = positions(lastPositions)
  return () => {
    now += apart
    const kind = ofTen[index % ofTen.length]!
    const status = statuses[kind][index % statuses[kind].length]!
    const [id, at] = [newId(), new Date(now).toISOString()]
    if (kind === 'spec') spec_id = id
    const title = `Record ${index++} of the ${kind}s`
    const own = { id, title, status, created_at: at, updated_at: at, number: counted.last_number + index }
    const ofCard = kind === 'card' ? { spec_id, moved_at: at, position: nextPosition(status) } : {}
    const logged = { id: newId(), entity_id: id, seq: counted.seq + index, created_at: at }
    return {
      kind,
      id,
      status,
      row: { ...first[kind].row, ...own, ...ofCard },
      event: { ...first[kind].event, ...logged, ...(kind === 'card' && { card_id: id }) },
    }
  }
}

/** The next positions in columns. */
function positions(lastPositions: ReadonlyMap<string, number>): (column: string) => number {
  const last = new Map(lastPositions)
  return column => {
    const next = (last.get(column) ?? -1) + 1
    last.set(column, next)
    return next
  }
}
