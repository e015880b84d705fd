import { defaultBoardSettings } from '@specboard/contract'
import { sql } from 'kysely'
import type { Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { derivedKey, isKeyTaken, takeKey } from '../../workspace/boards/keys.ts'
import { refuseBoardBeyondQuota } from '../../workspace/boards/quota.ts'
import { markForRemoval } from '../../workspace/boards/removal.ts'
import { noteMissingEntries } from '../../workspace/events/archiving/store.ts'
import { countRevisions } from './count-revisions.ts'
import { type ImportJob, importAbandoned, retryWhileBusy } from './importing.ts'
import { idsTaken } from './judging/judge.ts'
import { existingRows } from './known.ts'
import type { SourceRecord } from './source.ts'
import type { Tally } from './tally.ts'
import { performAll } from './write.ts'

/** The placeholder owner of an incomplete board, which nobody owns yet. */
const nobodyYet = (importId: string): string => `import:${importId}`

/** A board that an import creates; nobody sees it until it is complete. */
export class NewBoard {
  readonly #import: ImportJob

  constructor(importing: ImportJob) {
    this.#import = importing
  }

  /** Removes what was written, unless it is complete or was never begun. */
  async takeBack(): Promise<void> {
    const { boardId } = this.#import.target
    await retryWhileBusy(() =>
      this.#import.steps.compensate(async db => {
        const result = await db
          .deleteFrom('imports')
          .where('id', '=', this.#import.id)
          .where('written', '=', 0)
          .executeTakeFirst()
        if (result.numDeletedRows > 0n) await markForRemoval(db, boardId)
      }, boardId),
    )
    await this.#import.steps.environment.removals.run()
  }

  /** Creates the board in an incomplete state: nobody owns it while it is written. */
  async begin(
    ctx: Context,
    fields: SourceRecord['fields'],
    tally: Tally,
    record: SourceRecord | undefined,
  ): Promise<void> {
    await refuseBoardBeyondQuota(ctx)
    const { db } = ctx
    const { boardId } = this.#import.target
    // Another import of the same archive may have begun since this one was checked.
    if ((await existingRows(db, boardId, 'board', [boardId])).size > 0) throw idsTaken([boardId])
    const key = await this.#freeKey(db, fields, tally, record)
    await takeKey(db, key, boardId)
    const at = ctx.now()
    await insertRow(db, 'boards', {
      id: boardId,
      key,
      name: this.#name,
      description: typeof fields.description === 'string' ? fields.description : '',
      owner_id: nobodyYet(this.#import.id),
      settings: toJson(defaultBoardSettings),
      seq: 0,
      last_number: 0,
      created_at: (fields.created_at as string | undefined) ?? at,
      updated_at: (fields.updated_at as string | undefined) ?? at,
    })
    const node_id = ctx.environment.leases.node
    await insertRow(db, 'imports', {
      id: this.#import.id,
      board_id: boardId,
      written: 0,
      started_at: at,
      staged: null,
      node_id,
    })
  }

  /**
   * What a dry run checks and reports about the board.
   * @throws DomainError LIMIT_REACHED
   */
  async foresee(ctx: Context, fields: SourceRecord['fields'], tally: Tally, record: SourceRecord | undefined) {
    await refuseBoardBeyondQuota(ctx)
    await this.#freeKey(ctx.db, fields, tally, record)
  }

  /** The key of the file if it counts and is free, otherwise one derived from the name. */
  async #freeKey(
    db: Db,
    { key }: SourceRecord['fields'],
    tally: Tally,
    record: SourceRecord | undefined,
  ): Promise<string> {
    const { keeps, target } = this.#import
    const keyOfFile = keeps && typeof key === 'string' ? key : undefined
    if (keyOfFile !== undefined && !(await isKeyTaken(db, keyOfFile, target.boardId))) return keyOfFile
    const derived = await derivedKey(db, this.#name)
    if (keyOfFile !== undefined && record !== undefined)
      tally.problem(record, 'changed', `Key ${keyOfFile} is taken: the board gets ${derived}`)
    return derived
  }

  get #name(): string {
    return this.#import.query.name ?? this.#import.source.board.name
  }

  /** Writes the last piece, which makes the board visible to everybody with access. */
  async give(ctx: Context, { settings, last_number }: SourceRecord['fields'], lastNumber: number): Promise<string> {
    const { db, caller } = ctx
    const { boardId } = this.#import.target
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
    if (this.#import.target.isNew) await noteMissingEntries(db, boardId, ctx.now())
    if (this.#import.source.countsRevisions) await countRevisions(db, boardId)
    const { numUpdatedRows } = await db
      .updateTable('imports')
      .set({ written: 1 })
      .where('id', '=', this.#import.id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw importAbandoned
    return key
  }

  /** Makes changes of a new board together. */
  async write(writes: readonly ImportWrite[]): Promise<void> {
    await this.#import.steps.writePiece(
      ctx => performAll(writes, ctx.db, this.#import.target, { now: ctx.now(), newId: () => ctx.newId() }),
      this.#import.target.boardId,
    )
  }
}

/** The settings of an archive's board: missing ones get their defaults, unknown ones are dropped. */
const archivedSettings = (settings: Partial<Settings>): Settings =>
  Object.fromEntries(
    Object.entries(defaultBoardSettings).map(([name, usual]) => [name, settings[name as keyof Settings] ?? usual]),
  ) as Settings
