import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { defaultBoardSettings, type features } from '@specboard/contract'
import { StorageError } from '@specboard/storage'
import { sql } from 'kysely'
import { attachmentPath } from '../../delivery/attachments/files/attachment-path.ts'
import { PresentFile } from '../../delivery/attachments/files/files.ts'
import { refuseFilesBeyondQuota } from '../../delivery/attachments/quota.ts'
import { hashOf } from '../../delivery/attachments/removal.ts'
import { isOwner } from '../../kernel/access/managed.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Settings } from '../../kernel/board-settings.ts'
import type { Context, Unit } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { Answered, inSteps, type Steps } from '../../kernel/implement.ts'
import { raiseNumber } from '../../kernel/references.ts'
import { toJson } from '../../lib/json.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { removedOwner } from '../../schema/removed-owner.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { derivedKey, takeKey } from '../../workspace/boards/keys.ts'
import { refuseBoardBeyondQuota } from '../../workspace/boards/quota.ts'
import { giveUp } from '../../workspace/boards/removal.ts'
import { noteMissingEntries } from '../../workspace/events/archiving/store.ts'
import { files } from '../archive/layout.ts'
import { event } from '../kinds/kinds.ts'
import { Authors } from './authors.ts'
import { Waits } from './circles.ts'
import { countRevisions } from './count-revisions.ts'
import { hasChanged } from './has-changed.ts'
import { Ids } from './ids.ts'
import { idsTaken, Judge, type Judged, type Judging } from './judge.ts'
import { standing, titleDigestsOf } from './known.ts'
import { mostLines } from './lines.ts'
import { LinkEnds, type Repair } from './link-ends.ts'
import { openSource } from './open-source.ts'
import { Progress } from './progress.ts'
import { isRead, queueRecords, type Unread } from './queue.ts'
import { received } from './received.ts'
import { refused } from './refused.ts'
import { type Naming, rowFrom } from './rows.ts'
import type { Incoming, Source, SourceFile } from './source.ts'
import { type LeftOut, leftOutFault, Pieces, place, placeAtOnce, Staging, type Standing } from './staged.ts'
import { Tally } from './tally.ts'
import { Touched } from './touched.ts'
import { Turns } from './turns.ts'
import { refuseWithoutPerson } from './without-person.ts'
import { eventEntry, inserted, performAll, type Target, together } from './write.ts'
import { altered, verified } from './zip.ts'

type Exchange = (typeof features)['exchange']
type Query = Parameters<Parameters<typeof inSteps<Exchange['import_board']>>[0]>[0]['query']

/** The board that is imported into, as of the beginning of the call. */
interface Place {
  readonly caller: { readonly id: string; readonly name: string }
  readonly now: string
  /** Whether the `Local Owner` restores a board into an empty service: authors are those in the file (walls 5). */
  readonly restores: boolean
  /** Null for a new board. */
  readonly board: { readonly id: string; readonly key: string; readonly seq: number } | null
}

/** import_board (exchange 1). */
export const importBoard = inSteps<Exchange['import_board']>(async ({ query, file }, steps) => {
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
async function admitted(ctx: Context, { board_id, dry_run }: Query): Promise<Place> {
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

/**
 * The board is in the query, not in the path, so units of work do not check it by themselves.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
async function refuseUnpermitted(ctx: Context, boardId: string | undefined): Promise<void> {
  if (boardId === undefined) return ctx.require('BOARDS_IMPORT', 'BOARDS_CREATE')
  const { access } = await ctx.reach('board', boardId)
  access.require(['BOARDS_IMPORT'])
}

/** The owner of an incomplete board, which is nobody. */
const nobodyYet = (importId: string): string => `import:${importId}`

/** A board that is imported into, when checking begins. */
interface Before {
  readonly key: string
  readonly seq: number
  /** How often it had been closed: another import may change it without a trace in its log. */
  readonly closings: number
}

/** The findings of checking a file that makes a board. */
interface Checked {
  /** The total size of its attachments, bytes. */
  readonly fileBytes: number
  /** The largest number of a record in the file. */
  readonly lastNumber: number
  /** The board in the file. */
  readonly board: Incoming | undefined
}

/** The findings of checking the records of a file and passing them on. */
interface Passed {
  /** What the graph has to read. */
  readonly unread: Unread[]
  readonly touched: Touched
  /** The largest number of a record in the file. */
  readonly lastNumber: number
}

/** The facts known when the gathered pieces are put in place. */
interface Gathered {
  readonly standing: Standing
  /** The number of writes. */
  readonly writes: number
  readonly tally: Tally
  readonly before: Before
  readonly ids: Ids
  /** The records that the pieces touch. */
  readonly touched: ReadonlySet<string>
  readonly lastNumber: number
}

/** Aborts an attempt to put pieces in place whose checks are no longer valid. */
const changedMeanwhile = new Error('The board changed while the file was judged.')

/** How often an import into a board is checked again because the board changed meanwhile. */
const attempts = 4

/** The refusal of an import whose node was silent for so long that another one has removed what it wrote. */
const takenForDead = new DomainError('BUSY', 'The import took too long without an answer of the database. Try again.')

/** How often and after what time an action is retried while the disk is full or the database busy. */
const patience = { attempts: 40, ms: 250 } as const

/** Completes what was begun in any case: a full disk or a busy database is waited for. */
async function patiently<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run()
    } catch (error) {
      const passes = error instanceof StorageError && (error.code === 'BUSY' || error.code === 'STORAGE_FULL')
      if (!passes || attempt === patience.attempts) throw error
      await setTimeout(patience.ms)
    }
}

/** One import. */
class Import {
  readonly #steps: Steps
  readonly #query: Query
  readonly #entered: Place
  readonly #source: Source
  readonly #started: number
  readonly #id: string
  readonly #keeps: boolean
  readonly #target: Target
  /** Whether the log of the file is continued in the board; another board has its own. */
  readonly #hasEvents: boolean
  readonly #progress: Progress
  readonly #turns = new Turns()
  readonly #stored: string[] = []

  constructor(
    steps: Steps,
    query: Query,
    place: Place,
    { source, filename, started }: { readonly source: Source; readonly filename: string; readonly started: number },
  ) {
    const { environment } = steps
    this.#steps = steps
    this.#query = query
    this.#entered = place
    this.#source = source
    this.#started = started
    this.#id = environment.newId()
    this.#keeps = source.format === 'specboard' && query.keep_ids
    const made = place.board === null
    const newBoard = this.#keeps && source.board.id !== null ? source.board.id : environment.newId()
    this.#target = { made, boardId: place.board?.id ?? newBoard }
    this.#hasEvents = made || source.board.id === this.#target.boardId
    this.#progress = new Progress(progress => environment.onImport(place.caller.id, progress), {
      import_id: this.#id,
      filename,
      total: source.total,
    })
  }

  /** Imports, and reports at the end that everything is done. */
  async told() {
    const answer = await this.#run()
    this.#progress.end()
    return answer
  }

  async #run() {
    if (!this.#keeps) return this.#begin()
    // Ids that are free when they are checked are free until they are written.
    return this.#query.dry_run
      ? this.#withFreeIds()
      : this.#steps.environment.leases.inTurn('imports that keep ids', () => this.#withFreeIds(), this.#steps.gone())
  }

  /** Records of a deleted board, or left by a refused import, must not block the ids. */
  async #withFreeIds() {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await this.#steps.environment.removals.run()
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

  /** Whether there are boards of which something is still to be removed. */
  async #isRemoving(): Promise<boolean> {
    const board = await this.#steps.read(({ db }) =>
      db.selectFrom('boards').select('id').where('owner_id', '=', removedOwner).limit(1).executeTakeFirst(),
    )
    return board !== undefined
  }

  async #begin() {
    if (this.#target.made) return await this.#newBoard()
    const { leases } = this.#steps.environment
    // Another import changes what this one is checked against without a trace in the log.
    return this.#isShared
      ? await leases.inTurn(`import ${this.#target.boardId}`, () => this.#intoBoard(), this.#steps.gone())
      : await this.#intoBoard()
  }

  /** Continues what was begun, even if the caller has disconnected. */
  readonly #mend: ReadWrite['write'] = run => this.#steps.mend(run, this.#target.boardId)

  /** Whether other nodes use the database. */
  get #isShared(): boolean {
    return this.#steps.environment.leases.isShared
  }

  get #unit(): Unit {
    return { now: this.#entered.now, newId: this.#steps.environment.newId }
  }

  #report(tally: Tally, key: string | null) {
    const { dry_run } = this.#query
    const { made, boardId } = this.#target
    const report = {
      import_id: this.#id,
      board_id: dry_run && made ? null : boardId,
      key,
      ...tally.report(this.#source.format, dry_run),
      duration_ms: Math.max(0, this.#steps.environment.clock() - this.#started),
    }
    return new Answered(report, dry_run || !made ? { status: 200 } : {})
  }

  /**
   * Checks everything first, then writes it in pieces to a board that nobody sees, and assigns the board at the end.
   */
  async #newBoard() {
    const tally = new Tally(this.#source.found)
    if (this.#source.format !== 'specboard') tally.count('board', 'created')
    const judging = await this.#judging(tally, { again: false, ids: this.#noIds() })
    const found = await this.#checked(judging)
    await this.#steps.read(ctx => refuseFilesBeyondQuota(ctx, found.fileBytes))
    if (this.#query.dry_run) return this.#report(tally, null)
    this.#progress.begin('writing')
    try {
      return await this.#written(tally, found, judging.naming.ids)
    } catch (error) {
      await this.#takeBack()
      throw error
    }
  }

  async #written(tally: Tally, { lastNumber, board }: Checked, assigned: Ids) {
    const fields = board?.fields ?? {}
    await this.#steps.write(ctx => this.#beginBoard(ctx, fields, tally, board))
    const judging = await this.#judging(new Tally(), { again: true, ids: assigned })
    const { unread } = await this.#pass(judging, writes => this.#write(writes))
    const answer = await this.#steps.finish(async ctx => {
      await refuseUnpermitted(ctx, this.#query.board_id)
      const key = await this.#giveBoard(ctx, fields, lastNumber)
      await this.#audit(ctx)
      return this.#report(tally, key)
    })
    await this.#queue(this.#id, unread)
    return answer
  }

  /** Removes what was written, unless it is complete or was never begun. */
  async #takeBack(): Promise<void> {
    const { boardId } = this.#target
    await patiently(() =>
      this.#steps.mend(async db => {
        const begun = await db
          .deleteFrom('imports')
          .where('id', '=', this.#id)
          .where('written', '=', 0)
          .executeTakeFirst()
        if (begun.numDeletedRows > 0n) await giveUp(db, boardId)
      }, boardId),
    )
    await this.#steps.environment.removals.run()
  }

  /** The board while it is written: nobody owns it. */
  async #beginBoard(
    ctx: Context,
    fields: Incoming['fields'],
    tally: Tally,
    record: Incoming | undefined,
  ): Promise<void> {
    await refuseBoardBeyondQuota(ctx)
    const { db } = ctx
    const { boardId } = this.#target
    // Another import of the same archive may have begun since this one was checked.
    if ((await standing(db, boardId, 'board', [boardId])).size > 0) throw idsTaken([boardId])
    const name = this.#query.name ?? this.#source.board.name
    const key = await this.#freeKey(ctx, name, fields, tally, record)
    const at = ctx.now()
    await insertRow(db, 'boards', {
      id: boardId,
      key,
      name,
      description: typeof fields.description === 'string' ? fields.description : '',
      owner_id: nobodyYet(this.#id),
      settings: toJson(defaultBoardSettings),
      seq: 0,
      last_number: 0,
      created_at: (fields.created_at as string | undefined) ?? at,
      updated_at: (fields.updated_at as string | undefined) ?? at,
    })
    const node_id = ctx.environment.leases.node
    await insertRow(db, 'imports', {
      id: this.#id,
      board_id: boardId,
      written: 0,
      started_at: at,
      staged: null,
      node_id,
    })
  }

  async #freeKey(
    { db }: Context,
    name: string,
    { key }: Incoming['fields'],
    tally: Tally,
    record: Incoming | undefined,
  ): Promise<string> {
    if (!this.#keeps || typeof key !== 'string') {
      const derived = await derivedKey(db, name)
      await takeKey(db, derived, this.#target.boardId)
      return derived
    }
    const free = await takeKey(db, key, this.#target.boardId).then(
      () => true,
      error => {
        if (error instanceof DomainError) return false
        throw error
      },
    )
    if (free) return key
    const derived = await derivedKey(db, name)
    await takeKey(db, derived, this.#target.boardId)
    if (record !== undefined) tally.problem(record, 'changed', `Another board has the key ${key}: it gets ${derived}`)
    return derived
  }

  /** The last piece: with it everybody with access sees the board. */
  async #giveBoard(ctx: Context, { settings, last_number }: Incoming['fields'], lastNumber: number): Promise<string> {
    const { db, caller } = ctx
    const { boardId } = this.#target
    const [{ counted, last, number, key }] = (
      await sql<{ counted: number; last: number | null; number: number; key: string }>`select key,
        last_number as number, seq as counted, (select max(seq) from events where board_id = ${boardId}) as last
        from boards where id = ${boardId}`.execute(db)
    ).rows as [{ counted: number; last: number | null; number: number; key: string }]
    await updateRow(db, 'boards', boardId, {
      owner_id: caller.id,
      seq: Math.max(counted, last ?? 0),
      last_number: Math.max(number, lastNumber, typeof last_number === 'number' ? last_number : 0),
      ...(settings !== undefined && { settings: toJson(archivedSettings(settings as Partial<Settings>)) }),
    })
    if (this.#target.made) await noteMissingEntries(db, boardId, ctx.now())
    if (this.#source.countsRevisions) await countRevisions(db, boardId)
    const { numUpdatedRows } = await db
      .updateTable('imports')
      .set({ written: 1 })
      .where('id', '=', this.#id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw takenForDead
    return key
  }

  /** Makes changes of a new board together. */
  async #write(writes: readonly ImportWrite[]): Promise<void> {
    await this.#steps.writePiece(
      ctx => performAll(writes, ctx.db, this.#target, { now: ctx.now(), newId: () => ctx.newId() }),
      this.#target.boardId,
    )
  }

  /** The authors in the file whom the board did not know. */
  #authors({ added }: Authors): ImportWrite[] {
    return added.map(author => inserted('external_authors', { ...author, board_id: this.#target.boardId }))
  }

  async #audit(ctx: Context): Promise<void> {
    const name = this.#query.name ?? this.#source.board.name
    await recordAudit(ctx, 'imported', { type: 'board', id: this.#target.boardId, name }, [this.#source.format])
  }

  /** Queues the imported records for the graph; if the process ends before, the next start does it. */
  async #queue(importId: string, unread: readonly Unread[]): Promise<void> {
    const { environment } = this.#steps
    const { boardId } = this.#target
    await queueRecords(this.#mend, boardId, unread, this.#unit)
    await this.#mend(db => db.deleteFrom('imports').where('id', '=', importId).execute())
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
    const tally = new Tally(this.#source.found)
    const before = await this.#boardNow()
    const judging = await this.#judging(tally, { again: false, ids: this.#noIds(await this.#assigned()) })
    if (this.#query.dry_run) {
      await this.#checked(judging)
      return this.#report(tally, before.key)
    }
    const standing = { id: this.#steps.environment.newId(), boardId: this.#target.boardId }
    const staging = new Staging(this.#steps, standing)
    await staging.begin()
    try {
      const { unread, touched, lastNumber } = await this.#pass(judging, writes => staging.add(writes))
      const ids = this.#isShared ? new Set<string>() : await touched.ids(run => this.#steps.read(run))
      const gathered = {
        standing,
        writes: staging.writes,
        tally,
        before,
        ids: judging.naming.ids,
        touched: ids,
        lastNumber,
      }
      const answer = await this.#place(gathered)
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

  /**
   * Checks everything without writing. The bytes of files are compared when they are stored, or here if they will not
   * be.
   */
  async #checked(judging: Judging): Promise<Checked> {
    const judge = new Judge(judging)
    const links = new LinkEnds()
    let fileBytes = 0
    for await (const judged of this.#eachOf(judge)) {
      const { record } = judged
      if (!this.#target.made) links.add(judged)
      if (record.type !== 'attachment') continue
      const file = this.#fileOf(record)
      fileBytes += file.size
      if (this.#query.dry_run) await compared(record, file)
    }
    for await (const _ of this.#repairs(judging, links));
    if (this.#hasEvents) await this.#eachEvent(judge, async () => {})
    judge.refuseTaken()
    return { fileBytes, lastNumber: judge.lastNumber, board: judge.board }
  }

  /** Stores the files, and passes the writes on in pieces. */
  async #pass(judging: Judging, write: (writes: readonly ImportWrite[]) => Promise<void>): Promise<Passed> {
    const unread: Unread[] = []
    const touched = new Touched()
    const links = new LinkEnds()
    const pieces = new Pieces(write, this.#isShared)
    const judge = new Judge(judging)
    for await (const judged of this.#eachOf(judge)) {
      await this.#storeFile(judged)
      if (!this.#target.made) touched.add(judged)
      if (!this.#target.made) links.add(judged)
      if (isRead(judged.record.type)) unread.push({ type: judged.record.type, id: judged.here })
      await pieces.add(together(judged.writes()))
    }
    for await (const repair of this.#repairs(judging, links)) {
      touched.addRepair(repair)
      await pieces.add([{ kind: 'update', table: `${repair.type}s`, id: repair.id, row: repair.row }])
    }
    if (this.#hasEvents) await this.#eachEvent(judge, entry => pieces.add([this.#eventWrite(entry, judging.naming)]))
    judge.refuseTaken()
    await pieces.add(this.#authors(judging.authors))
    await pieces.end()
    return { unread, touched, lastNumber: judge.lastNumber }
  }

  /** Reports links that came with one end only, and yields the writes that make both ends agree. */
  async *#repairs({ read, naming, tally }: Judging, links: LinkEnds): AsyncGenerator<Repair> {
    for await (const repair of links.repairs(read, naming.ids.hasLeft)) {
      const { type, id, row } = repair
      const reason = `Links that one end lacks or that lead to nothing here are left out: ${Object.keys(row).join(', ')}`
      tally.problem({ type, id, fields: {}, place: { entry: null, line: null } }, 'changed', reason)
      yield repair
    }
  }

  /**
   * Puts what was gathered in place unless something changed meanwhile: from its first write on, it is completed in any
   * case.
   */
  async #place(gathered: Gathered) {
    try {
      return this.#isShared ? await this.#placeAtOnce(gathered) : await this.#placeInPieces(gathered)
    } catch (error) {
      if (error === changedMeanwhile) return undefined
      throw error
    }
  }

  /** With a shared database, reads see the previous state until a unit of work has ended, and wait for none. */
  async #placeAtOnce(gathered: Gathered) {
    const { standing, tally, before } = gathered
    const answer = await this.#steps.finish(async ctx => {
      await this.#beginPlacing(ctx, gathered)
      await placeAtOnce(ctx.db, standing, this.#unit)
      await this.#audit(ctx)
      return this.#report(tally, before.key)
    }, standing.boardId)
    this.#stored.length = 0
    this.#steps.environment.streams.entries.notify(standing.boardId)
    return answer
  }

  /** A single process closes the board while its pieces are put in place: other boards can be written in between. */
  async #placeInPieces(gathered: Gathered) {
    const { standing, writes, tally, before, touched } = gathered
    const { boardId } = standing
    const { gates, streams } = this.#steps.environment
    const closed = await gates.close(boardId, touched)
    try {
      await closed.drained
      if (gates.closings(boardId) !== before.closings + 1) return undefined
      const answer = await this.#steps.finish(async ctx => {
        await this.#beginPlacing(ctx, gathered)
        await this.#audit(ctx)
        return this.#report(tally, before.key)
      }, boardId)
      this.#stored.length = 0
      this.#progress.begin('writing')
      const leftOut = await this.#putInPlace(standing, writes)
      streams.entries.notify(boardId)
      if (leftOut.length === 0) return answer
      for (const { write, error } of leftOut) tally.leaveOut(write, error)
      return this.#report(tally, before.key)
    } finally {
      closed.open()
    }
  }

  /** What accompanies the first write of what was gathered. */
  async #beginPlacing(ctx: Context, { standing, before, ids, lastNumber }: Gathered): Promise<void> {
    const { boardId } = standing
    await refuseUnpermitted(ctx, boardId)
    // In the same unit of work as the first write: others keep writing all the time.
    if (await hasChanged(ctx.db, this.#source.format, { ...before, boardId }, ids)) throw changedMeanwhile
    if (lastNumber > 0) await raiseNumber(ctx.db, boardId, lastNumber)
    const { numUpdatedRows } = await ctx.db
      .updateTable('imports')
      .set({ staged: 'placing' })
      .where('id', '=', standing.id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw takenForDead
  }

  /**
   * An accepted import is put in place in any case: a full disk is waited for, and after a kill the next start
   * continues. Returns the writes that can never be made.
   */
  async #putInPlace(standing: Standing, total: number): Promise<readonly LeftOut[]> {
    const found: LeftOut[] = []
    const leftOut = (left: LeftOut) => {
      found.push(left)
      this.#steps.environment.onFault(leftOutFault(standing.id, left))
    }
    let share = 0
    const placed = (writes: number) => {
      share += (writes / total) * this.#source.total
      const steps = Math.floor(share)
      share -= steps
      this.#progress.step(steps)
    }
    await patiently(() => place(this.#mend, standing, this.#unit, { placed, leftOut }))
    return found
  }

  async #discard(staging: Staging): Promise<void> {
    await staging.discard()
    await this.#removeFiles()
  }

  /** The ids of a file that gets new ones, found by reading it once: records refer to others that come after them. */
  async #assigned(): Promise<Ids> {
    const ids = this.#noIds()
    if (this.#keeps) return ids
    const judging = await this.#judging(new Tally(), { again: false, ids })
    for await (const _ of this.#eachOf(new Judge(judging)));
    return ids
  }

  async #boardNow(): Promise<Before> {
    const { boardId } = this.#target
    const closings = this.#steps.environment.gates.closings(boardId)
    const board = await this.#steps.read(({ db }) =>
      db.selectFrom('boards').select(['key', 'seq']).where('id', '=', boardId).executeTakeFirstOrThrow(),
    )
    return { ...board, closings }
  }

  #noIds(assigned?: Ids): Ids {
    return new Ids(Math.min(this.#source.total, 2 * mostLines), assigned)
  }

  async #judging(tally: Tally, { again, ids }: { readonly again: boolean; readonly ids: Ids }): Promise<Judging> {
    const { environment } = this.#steps
    const { boardId, made } = this.#target
    const here = await this.#steps.read(async ({ db }) => ({
      agents: await db.selectFrom('agents').select('id').execute(),
      authors: await db.selectFrom('external_authors').selectAll().where('board_id', '=', boardId).execute(),
      links: made
        ? []
        : await db
            .selectFrom('card_dependencies')
            .select(['card_id', 'depends_on_id'])
            .where('board_id', '=', boardId)
            .execute(),
    }))
    const waits = new Waits()
    for (const { card_id, depends_on_id } of here.links) waits.add(card_id, depends_on_id)
    const agents = new Set(here.agents.map(({ id }) => id))
    const { caller, restores } = this.#entered
    const meant = this.#keeps && restores ? agents : new Set(this.#namesAgents ? [caller.id] : [])
    const authors = new Authors(meant, this.#source.agents, here.authors)
    return {
      source: this.#source,
      target: this.#target,
      naming: { ids, authors },
      comparing: { ids, authors: this.#keeps ? authors.with(agents) : authors },
      authors,
      tally,
      keeps: this.#keeps,
      again,
      newId: environment.newId,
      now: this.#entered.now,
      read: run => this.#steps.read(run),
      waits,
      caller,
    }
  }

  /** Whether the file can refer to an agent of this service by its id. */
  get #namesAgents(): boolean {
    return this.#keeps || this.#source.format !== 'specboard'
  }

  async *#eachOf(judge: Judge): AsyncGenerator<Judged> {
    for await (const judged of judge.judged()) {
      this.#progress.step()
      yield judged
      await this.#turns.between()
    }
  }

  /** Passes on the log entries that do not exist here. */
  async #eachEvent(judge: Judge, each: (entry: Incoming) => Promise<void>): Promise<void> {
    for await (const { entry, isNew } of judge.entries()) {
      this.#progress.step()
      if (isNew) await each(entry)
      await this.#turns.between()
    }
  }

  #eventWrite(entry: Incoming, naming: Naming): ImportWrite {
    const inHistory = naming.ids.of('history', entry.id)
    const id = inHistory ?? (this.#keeps ? entry.id : this.#steps.environment.newId())
    return eventEntry({ ...rowFrom(event, entry, naming), id }, inHistory !== undefined)
  }

  /** The file of an attachment, if it has the size in its record. */
  #fileOf({ id, fields, place }: Incoming): SourceFile {
    const file = this.#source.attachment(String(fields.sha256))
    if (file === undefined) throw refused(`The file of the attachment ${id} is not there`, place)
    if (file.size !== fields.size) throw refused(`The file of the attachment ${id} has another size`, place)
    return file
  }

  /** Stores the file of an attachment before its row is written; if the row fails, the file is removed. */
  async #storeFile({ record, row }: Judged): Promise<void> {
    if (record.type !== 'attachment') return
    const path = attachmentPath(this.#target.boardId, String(row.filename))
    const { size, bytes } = this.#fileOf(record)
    try {
      const { sha256 } = await this.#steps.environment.files.put(path, bytes(), size)
      this.#stored.push(path)
      if (sha256 !== row.sha256) throw altered(files.attachment(String(row.sha256)))
    } catch (error) {
      if (!(error instanceof PresentFile)) throw error
      // A deleted board, or another service that uses the same storage, has left it.
      if ((await hashOf(this.#steps.environment.files, path)) === row.sha256) return
      throw refused(`The file of the attachment ${record.id} cannot be stored: ${error.message}`, record.place)
    }
  }

  async #removeFiles(): Promise<void> {
    for (const path of this.#stored.splice(0)) await this.#steps.environment.files.remove(path)
  }
}

/** The settings of an archive's board: missing ones get their defaults, unknown ones are dropped. */
const archivedSettings = (settings: Partial<Settings>): Settings =>
  Object.fromEntries(
    Object.entries(defaultBoardSettings).map(([name, usual]) => [name, settings[name as keyof Settings] ?? usual]),
  ) as Settings

/** Compares the bytes of an attachment with the hash in its record. */
async function compared({ fields }: Incoming, { size, bytes }: SourceFile): Promise<void> {
  const sha256 = String(fields.sha256)
  for await (const _ of verified(bytes(), { name: files.attachment(sha256), size, sha256 }));
}
