import { rm } from 'node:fs/promises'
import { refuseFilesBeyondQuota } from '../../delivery/attachments/quota.ts'
import { isOwner } from '../../kernel/access/managed.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { multiStep, type Steps } from '../../kernel/implement.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { removedOwner } from '../../schema/removed-owner.ts'
import { refuseBoardBeyondQuota } from '../../workspace/boards/quota.ts'
import type { Ids } from './ids.ts'
import {
  auditImport,
  type Exchange,
  type ImportEntry,
  type ImportJob,
  type Query,
  refuseUnpermitted,
  reportOf,
  unitOf,
} from './importing.ts'
import { titleDigestsOf } from './known.ts'
import { NewBoard } from './new-board.ts'
import { openSource } from './open-source.ts'
import { type Before, Placement } from './placing.ts'
import { Progress } from './progress.ts'
import { queueRecords, type Unread } from './queue.ts'
import { type FileFindings, ImportReading } from './reading.ts'
import { received } from './received.ts'
import type { Source } from './source.ts'
import { Staging } from './staged.ts'
import { Tally } from './tally.ts'
import { refuseWithoutPerson } from './without-person.ts'

/** import_board (exchange 1). */
export const importBoard = multiStep<Exchange['import_board']>(async ({ query, file }, steps) => {
  const { clock, folder, importMaxBytes, readerLimits: limits } = steps.environment
  const started = clock()
  await steps.read(ctx => admitted(ctx, query))
  const upload = await received(folder, file, importMaxBytes)
  try {
    // The file may have taken long to arrive.
    const place = await steps.read(ctx => admitted(ctx, query))
    const { name, mapping, all, inferred_order, format, keep_ids: keepsIds } = query
    const defaults = { callerId: place.caller.id, now: place.now, limits }
    const titles = place.board === null ? [] : await steps.read(({ db }) => titleDigestsOf(db, place.board!.id))
    const options = { name, mapping, all, inferred_order, titles }
    const source = await openSource(upload, { format, keepsIds }, options, defaults)
    try {
      return await new Import(steps, query, place, { source, filename: upload.filename, started }).told()
    } finally {
      await source.close()
    }
  } finally {
    await rm(upload.path, { force: true })
  }
})

/**
 * Who imports, and into which board; a dry run requires the same.
 * @throws DomainError NOT_FOUND, FORBIDDEN, PERSON_REQUIRED, LIMIT_REACHED
 */
async function admitted(ctx: Context, { board_id, dry_run }: Query): Promise<ImportEntry> {
  const { caller, db } = ctx
  const about = { caller: { id: caller.id, name: caller.name }, now: ctx.now() }
  await refuseUnpermitted(ctx, board_id)
  if (board_id === undefined) {
    await refuseBoardBeyondQuota(ctx)
    return { ...about, restores: (await isOwner(db, caller.id)) && (await isEmpty(db)), board: null }
  }
  if (!dry_run) await refuseWithoutPerson(ctx, board_id)
  const board = await db
    .selectFrom('boards')
    .select(['id', 'key', 'seq'])
    .where('id', '=', board_id)
    .executeTakeFirstOrThrow()
  return { ...about, restores: false, board }
}

/** Whether a service has no board. */
const isEmpty = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('boards').select('id').where('owner_id', '!=', removedOwner).limit(1).execute()).length === 0

/** How often an import into a board is checked again because the board changed meanwhile. */
const attempts = 4

/** One import. */
class Import {
  readonly #import: ImportJob
  readonly #reading: ImportReading
  readonly #board: NewBoard

  constructor(
    steps: Steps,
    query: Query,
    entered: ImportEntry,
    { source, filename, started }: { readonly source: Source; readonly filename: string; readonly started: number },
  ) {
    const { environment } = steps
    const id = environment.newId()
    const keeps = source.format === 'specboard' && query.keep_ids
    const isNew = entered.board === null
    const newBoard = keeps && source.board.id !== null ? source.board.id : environment.newId()
    const target = { isNew, boardId: entered.board?.id ?? newBoard }
    const progress = new Progress(progress => environment.onImport(entered.caller.id, progress), {
      import_id: id,
      filename,
      total: source.total,
    })
    this.#import = {
      id,
      steps,
      query,
      entered,
      source,
      target,
      keeps,
      hasEvents: isNew || source.board.id === target.boardId,
      started,
      isShared: environment.leases.isShared,
      progress,
    }
    this.#reading = new ImportReading(this.#import)
    this.#board = new NewBoard(this.#import)
  }

  /** Imports, and reports at the end that everything is done. */
  async told() {
    const answer = await this.#run()
    this.#import.progress.end()
    return answer
  }

  async #run() {
    if (!this.#import.keeps) return this.#begin()
    // Ids that are free when they are checked are free until they are written.
    return this.#import.query.dry_run
      ? this.#withFreeIds()
      : this.#import.steps.environment.leases.inTurn(
          'imports that keep ids',
          () => this.#withFreeIds(),
          this.#import.steps.signal(),
        )
  }

  /** Records of a deleted board, or left by a refused import, must not block the ids. */
  async #withFreeIds() {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await this.#import.steps.environment.removals.run()
      try {
        return await this.#begin()
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'ID_TAKEN')) throw error
        // A board may have been deleted after the first check, and be gone before the second.
        if (attempt > 0 && !(await this.#isRemoving())) throw error
      }
    }
    throw new DomainError('BUSY', 'Records of this archive are still being removed. Try again in a while.')
  }

  /** Whether there are boards whose removal is not finished. */
  async #isRemoving(): Promise<boolean> {
    const board = await this.#import.steps.read(({ db }) =>
      db.selectFrom('boards').select('id').where('owner_id', '=', removedOwner).limit(1).executeTakeFirst(),
    )
    return board !== undefined
  }

  async #begin() {
    if (this.#import.target.isNew) return await this.#newBoard()
    const { leases } = this.#import.steps.environment
    // Another import changes what this one is checked against without a trace in the log.
    return this.#import.isShared
      ? await leases.inTurn(
          `import ${this.#import.target.boardId}`,
          () => this.#intoBoard(),
          this.#import.steps.signal(),
        )
      : await this.#intoBoard()
  }

  /**
   * Checks everything first, then writes it in pieces to a board that nobody sees, and assigns the board at the end.
   */
  async #newBoard() {
    const tally = new Tally(this.#import.source.found)
    if (this.#import.source.format !== 'specboard') tally.count('board', 'created')
    const judging = await this.#reading.judging(tally, { again: false, ids: this.#reading.noIds() })
    const found = await this.#reading.checked(judging)
    await this.#import.steps.read(ctx => refuseFilesBeyondQuota(ctx, found.fileBytes))
    if (this.#import.query.dry_run) {
      await this.#import.steps.read(ctx => this.#board.foresee(ctx, found.board?.fields ?? {}, tally, found.board))
      return reportOf(this.#import, tally, null)
    }
    this.#import.progress.begin('writing')
    try {
      return await this.#written(tally, found, judging.naming.ids)
    } catch (error) {
      await this.#board.takeBack()
      throw error
    }
  }

  async #written(tally: Tally, { lastNumber, board }: FileFindings, assigned: Ids) {
    const fields = board?.fields ?? {}
    await this.#import.steps.write(ctx => this.#board.begin(ctx, fields, tally, board))
    const judging = await this.#reading.judging(new Tally(), { again: true, ids: assigned })
    const { unread } = await this.#reading.pass(judging, writes => this.#board.write(writes))
    const answer = await this.#import.steps.finish(async ctx => {
      await refuseUnpermitted(ctx, this.#import.query.board_id)
      const key = await this.#board.give(ctx, fields, lastNumber)
      await auditImport(ctx, this.#import)
      return reportOf(this.#import, tally, key)
    })
    await this.#queue(this.#import.id, unread)
    return answer
  }

  /** Queues the imported records for the graph; if the process ends before, the next start does it. */
  async #queue(importId: string, unread: readonly Unread[]): Promise<void> {
    const { environment } = this.#import.steps
    const { boardId } = this.#import.target
    const mend: ReadWrite['write'] = run => this.#import.steps.compensate(run, boardId)
    await queueRecords(mend, boardId, unread, unitOf(this.#import))
    await mend(db => db.deleteFrom('imports').where('id', '=', importId).execute())
    environment.graph.queued([boardId])
  }

  /** Checks everything against a board, gathers the differences where nobody sees them, and puts them in place. */
  async #intoBoard() {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const answer = await this.#attempt()
      if (answer !== undefined) return answer
    }
    throw new DomainError(
      'BUSY',
      'The records of the file change faster than it can be compared with them. Try again in a while.',
    )
  }

  /** One attempt; undefined if what it was checked against has changed meanwhile. */
  async #attempt() {
    const tally = new Tally(this.#import.source.found)
    const before = await this.#boardNow()
    const judging = await this.#reading.judging(tally, {
      again: false,
      ids: this.#reading.noIds(await this.#reading.assigned()),
    })
    if (this.#import.query.dry_run) {
      await this.#reading.checked(judging)
      return reportOf(this.#import, tally, before.key)
    }
    const standing = { id: this.#import.steps.environment.newId(), boardId: this.#import.target.boardId }
    const staging = new Staging(this.#import.steps, standing)
    await staging.begin()
    try {
      const { unread, touched, lastNumber } = await this.#reading.pass(judging, writes => staging.add(writes))
      const ids = this.#import.isShared ? new Set<string>() : await touched.ids(run => this.#import.steps.read(run))
      const gathered = {
        standing,
        writes: staging.writes,
        tally,
        before,
        ids: judging.naming.ids,
        touched: ids,
        lastNumber,
      }
      const answer = await new Placement(this.#import, () => this.#reading.keepFiles()).place(gathered)
      if (answer !== undefined) {
        await this.#queue(standing.id, unread)
        return answer
      }
    } catch (error) {
      await this.#discard(staging)
      throw error
    }
    await this.#discard(staging)
    return undefined
  }

  async #boardNow(): Promise<Before> {
    const { boardId } = this.#import.target
    const closings = this.#import.steps.environment.gates.closings(boardId)
    const board = await this.#import.steps.read(({ db }) =>
      db.selectFrom('boards').select(['key', 'seq']).where('id', '=', boardId).executeTakeFirstOrThrow(),
    )
    return { ...board, closings }
  }

  async #discard(staging: Staging): Promise<void> {
    await staging.discard()
    await this.#reading.removeFiles()
  }
}
