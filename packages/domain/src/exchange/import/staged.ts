import { isUnwritable, type Json } from '@specboard/storage'
import { NoResultError } from 'kysely'
import type { Unit } from '../../kernel/context.ts'
import type { Steps } from '../../kernel/implement.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { eachOf, perform, performAll, writeText } from './write.ts'
import { WritesAtOnce } from './writes-at-once.ts'

/** The maximum size of one unit of work, so that others do not wait long for it. */
const max = { writes: 64, characters: 1 << 20 } as const

/** The same on a shared database, where a write takes some milliseconds. */
const maxWritesShared = 16

/** Gathers writes and passes them on in pieces that are small enough for a unit of work. */
export class Pieces {
  readonly #pass: (writes: readonly ImportWrite[]) => Promise<void>
  readonly #most: number
  #writes: ImportWrite[] = []
  #count = 0

  /** @param isShared whether other nodes use the database */
  constructor(pass: (writes: readonly ImportWrite[]) => Promise<void>, isShared: boolean) {
    this.#pass = pass
    this.#most = isShared ? maxWritesShared : max.writes
  }

  async add(writes: readonly ImportWrite[]): Promise<void> {
    this.#writes.push(...writes)
    for (const write of writes) this.#count += eachOf(write).length
    if (this.#count >= this.#most) await this.end()
  }

  async end(): Promise<void> {
    const writes = this.#writes
    this.#writes = []
    this.#count = 0
    if (writes.length > 0) await this.#pass(writes)
  }
}

/** An import into an existing board. */
export interface StagedImport {
  readonly id: string
  readonly boardId: string
}

/**
 * Stores an import's pending writes in the database, where no answer shows them: they wait until the last one is there
 * (exchange 1).
 */
export class Staging {
  readonly #steps: Steps
  readonly #import: StagedImport
  #at = 0
  /** The number of pending writes. */
  writes = 0

  constructor(steps: Steps, standing: StagedImport) {
    this.#steps = steps
    this.#import = standing
  }

  async begin(): Promise<void> {
    const { id, boardId: board_id } = this.#import
    const node_id = this.#steps.environment.leases.node
    await this.#steps.write(
      ctx =>
        ctx.db
          .insertInto('imports')
          .values({ id, board_id, written: 0, started_at: ctx.now(), staged: 'gathering', node_id })
          .execute(),
      board_id,
    )
  }

  async add(writes: readonly ImportWrite[]): Promise<void> {
    this.writes += writes.length
    for (const part of parts(writes)) {
      const row = { import_id: this.#import.id, at: this.#at++, writes: part }
      await this.#steps.writePiece(
        ({ db }) => db.insertInto('import_writes').values(row).execute(),
        this.#import.boardId,
      )
    }
  }

  /** Discards pending writes; those being put in place stay. */
  async discard(): Promise<void> {
    const { id, boardId } = this.#import
    await this.#steps.compensate(
      db => db.deleteFrom('imports').where('id', '=', id).where('staged', '!=', 'placing').execute(),
      boardId,
    )
  }
}

/** The JSON texts of writes, each not much longer than what may be written at once. */
function parts(writes: readonly ImportWrite[]): Json<ImportWrite[]>[] {
  const found: string[][] = []
  let characters = 0
  for (const write of writes) {
    const text = toJson(write)
    const part = found.at(-1)
    if (part !== undefined && characters + text.length <= max.characters) {
      part.push(text)
      characters += text.length
    } else {
      found.push([text])
      characters = text.length
    }
  }
  // Each write is serialised once: they may be long.
  return found.map(texts => `[${texts.join(',')}]` as Json<ImportWrite[]>)
}

/** A write that can never be made, and why. */
export interface LeftOut {
  readonly write: ImportWrite
  readonly error: unknown
}

/** The error that is logged for a write that an import left out. */
export const leftOutFault = (importId: string, { write, error }: LeftOut): Error =>
  new Error(`The import ${importId} left out what can never be written: ${writeText(write)}`, { cause: error })

/** Callbacks while an import is put in place. */
export interface PlacingCallbacks {
  /** Called after each piece with the number of its writes. */
  readonly placed?: (writes: number) => void
  /** Called for each write that is left out, before it is deleted. */
  readonly leftOut: (omission: LeftOut) => void
}

/**
 * Puts what an import has gathered in place, piece by piece; after a kill it continues after the last piece. From the
 * first piece on the import is completed: a write that can never be made is left out, and does not hold up others.
 * @throws StorageError if the database is full, busy or unreachable
 */
export async function place(
  write: ReadWrite['write'],
  standing: StagedImport,
  unit: Unit,
  callbacks: PlacingCallbacks,
): Promise<void> {
  for (let more = true; more; )
    more = await write(db => placePiece(db, standing, unit, callbacks.placed)).catch(error => {
      if (!canNeverBeMade(error)) throw error
      return placeSingly(write, standing, unit, callbacks)
    })
}

/** Puts everything that an import has gathered in place, in the given unit of work. */
export async function placeAtOnce(db: Db, { id, boardId }: StagedImport, unit: Unit): Promise<void> {
  const writes = new WritesAtOnce(db, boardId, unit)
  for (let piece = await nextPiece(db, id); piece !== undefined; piece = await nextPiece(db, id, piece.at))
    for (const write of piece.writes) await writes.add(write)
  await writes.end()
  await db.deleteFrom('import_writes').where('import_id', '=', id).execute()
  await db.updateTable('imports').set({ written: 1, staged: null }).where('id', '=', id).execute()
}

const canNeverBeMade = (error: unknown): boolean => isUnwritable(error) || error instanceof NoResultError

/** Puts the next piece in place; returns whether there was one. */
async function placePiece(
  db: Db,
  standing: StagedImport,
  unit: Unit,
  placed: (writes: number) => void = () => {},
): Promise<boolean> {
  const { id, boardId } = standing
  const piece = await nextPiece(db, id)
  if (piece === undefined) {
    await db.updateTable('imports').set({ written: 1, staged: null }).where('id', '=', id).execute()
    return false
  }
  await performAll(piece.writes, db, { boardId, isNew: false }, unit)
  await keep(db, standing, piece.at, [])
  placed(piece.writes.length)
  return true
}

/** Makes the writes of the next piece one by one, without those that can never be made. */
async function placeSingly(
  write: ReadWrite['write'],
  standing: StagedImport,
  unit: Unit,
  callbacks: PlacingCallbacks,
): Promise<boolean> {
  const { boardId } = standing
  for (let first = await write(db => nextPiece(db, standing.id)); first !== undefined; ) {
    const { at, writes } = first
    const [one, ...others] = writes as [ImportWrite, ...ImportWrite[]]
    await write(async db => {
      await perform(one, db, { boardId, isNew: false }, unit)
      await keep(db, standing, at, others)
    }).catch(error => {
      if (!canNeverBeMade(error)) throw error
      callbacks.leftOut({ write: one, error })
      return write(db => keep(db, standing, at, others))
    })
    callbacks.placed?.(1)
    first = others.length > 0 ? { at, writes: others } : undefined
  }
  return true
}

interface Piece {
  readonly at: number
  readonly writes: readonly ImportWrite[]
}

/** The first pending piece after another one. */
async function nextPiece(db: Db, id: string, behind = -1): Promise<Piece | undefined> {
  const row = await db
    .selectFrom('import_writes')
    .select(['at', 'writes'])
    .where('import_id', '=', id)
    .where('at', '>', behind)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row && { at: row.at, writes: parseJson(row.writes) }
}

/** Keeps the remaining writes of a piece. */
async function keep(db: Db, { id }: StagedImport, at: number, writes: ImportWrite[]): Promise<void> {
  if (writes.length === 0)
    await db.deleteFrom('import_writes').where('import_id', '=', id).where('at', '=', at).execute()
  else
    await db
      .updateTable('import_writes')
      .set({ writes: toJson(writes) })
      .where('import_id', '=', id)
      .where('at', '=', at)
      .execute()
}
