import type { Context } from '../../kernel/context.ts'
import { raiseNumber } from '../../kernel/references.ts'
import { hasChanged } from './has-changed.ts'
import type { Ids } from './ids.ts'
import {
  auditImport,
  type ImportJob,
  importAbandoned,
  refuseUnpermitted,
  reportOf,
  retryWhileBusy,
  unitOf,
} from './importing.ts'
import { type LeftOut, leftOutFault, place, placeAtOnce, type StagedImport } from './staged.ts'
import type { Tally } from './tally.ts'

/** The state, when checking begins, of a board that is imported into. */
export interface Before {
  readonly key: string
  readonly seq: number
  /** How often it had been closed: another import may change it without a trace in its log. */
  readonly closings: number
}

/** The facts known when the gathered pieces are put in place. */
export interface PlacingFacts {
  readonly standing: StagedImport
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

/** Puts what an import gathered in place on its board. */
export class Placement {
  readonly #import: ImportJob
  readonly #keepFiles: () => void

  /** @param keepFiles called once the stored files belong to records */
  constructor(importing: ImportJob, keepFiles: () => void) {
    this.#import = importing
    this.#keepFiles = keepFiles
  }

  /**
   * Applies the staged changes unless something has changed in the meantime: from its first write on, it is always
   * completed.
   */
  async place(gathered: PlacingFacts) {
    try {
      return this.#import.isShared ? await this.#placeAtOnce(gathered) : await this.#placeInPieces(gathered)
    } catch (error) {
      if (error === changedMeanwhile) return undefined
      throw error
    }
  }

  /** With a shared database, reads see the previous state until a unit of work has ended, and do not wait for it. */
  async #placeAtOnce(gathered: PlacingFacts) {
    const { standing, tally, before } = gathered
    const answer = await this.#import.steps.finish(async ctx => {
      await this.#beginPlacing(ctx, gathered)
      await placeAtOnce(ctx.db, standing, unitOf(this.#import))
      await auditImport(ctx, this.#import)
      return reportOf(this.#import, tally, before.key)
    }, standing.boardId)
    this.#keepFiles()
    this.#import.steps.environment.streams.entries.notify(standing.boardId)
    return answer
  }

  /** A single process closes the board while its pieces are put in place: other boards can be written in between. */
  async #placeInPieces(gathered: PlacingFacts) {
    const { standing, writes, tally, before, touched } = gathered
    const { boardId } = standing
    const { gates, streams } = this.#import.steps.environment
    const closed = await gates.close(boardId, touched)
    try {
      await closed.drained
      if (gates.closings(boardId) !== before.closings + 1) return undefined
      const answer = await this.#import.steps.finish(async ctx => {
        await this.#beginPlacing(ctx, gathered)
        await auditImport(ctx, this.#import)
        return reportOf(this.#import, tally, before.key)
      }, boardId)
      this.#keepFiles()
      this.#import.progress.begin('writing')
      const leftOut = await this.#putInPlace(standing, writes)
      streams.entries.notify(boardId)
      if (leftOut.length === 0) return answer
      for (const { write, error } of leftOut) tally.leaveOut(write, error)
      return reportOf(this.#import, tally, before.key)
    } finally {
      closed.open()
    }
  }

  /** Makes the checks and changes that accompany the first write of the staged changes. */
  async #beginPlacing(ctx: Context, { standing, before, ids, lastNumber }: PlacingFacts): Promise<void> {
    const { boardId } = standing
    await refuseUnpermitted(ctx, boardId)
    // In the same unit of work as the first write: others keep writing all the time.
    if (await hasChanged(ctx.db, this.#import.source.format, { ...before, boardId }, ids)) throw changedMeanwhile
    if (lastNumber > 0) await raiseNumber(ctx.db, boardId, lastNumber)
    const { numUpdatedRows } = await ctx.db
      .updateTable('imports')
      .set({ staged: 'placing' })
      .where('id', '=', standing.id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw importAbandoned
  }

  /**
   * An accepted import is put in place in any case: a full disk is waited for, and after a kill the next start
   * continues. Returns the writes that can never be made.
   */
  async #putInPlace(standing: StagedImport, total: number): Promise<readonly LeftOut[]> {
    const found: LeftOut[] = []
    const leftOut = (omission: LeftOut) => {
      found.push(omission)
      this.#import.steps.environment.onFault(leftOutFault(standing.id, omission))
    }
    let share = 0
    const placed = (writes: number) => {
      share += (writes / total) * this.#import.source.total
      const steps = Math.floor(share)
      share -= steps
      this.#import.progress.step(steps)
    }
    await retryWhileBusy(() =>
      place(run => this.#import.steps.compensate(run, standing.boardId), standing, unitOf(this.#import), {
        placed,
        leftOut,
      }),
    )
    return found
  }
}
