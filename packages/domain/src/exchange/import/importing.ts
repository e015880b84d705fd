/** What the parts of one import share (exchange 1). */
import { setTimeout } from 'node:timers/promises'
import type { features } from '@specboard/contract'
import { StorageError } from '@specboard/storage'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context, Unit } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { ExplicitAnswer, type multiStep, type Steps } from '../../kernel/implement.ts'
import type { Progress } from './progress.ts'
import type { Source } from './source.ts'
import type { Tally } from './tally.ts'
import type { Target } from './write.ts'

export type Exchange = (typeof features)['exchange']
export type Query = Parameters<Parameters<typeof multiStep<Exchange['import_board']>>[0]>[0]['query']

/** Who imports, and the board that is imported into, as of the beginning of the call. */
export interface ImportEntry {
  readonly caller: { readonly id: string; readonly name: string }
  readonly now: string
  /** Whether the `Local Owner` restores a board into an empty service: authors are those in the file (walls 5). */
  readonly restores: boolean
  /** Null for a new board. */
  readonly board: { readonly id: string; readonly key: string; readonly seq: number } | null
}

/** One import: what it was asked, its file, and where it writes. */
export interface ImportJob {
  readonly id: string
  readonly steps: Steps
  readonly query: Query
  readonly entered: ImportEntry
  readonly source: Source
  readonly target: Target
  /** Whether records keep the ids and numbers in the file. */
  readonly keeps: boolean
  /** Whether the log of the file is continued in the board; another board has its own. */
  readonly hasEvents: boolean
  /** When the call came, ms since 1970. */
  readonly started: number
  /** Whether other nodes use the database. */
  readonly isShared: boolean
  readonly progress: Progress
}

/**
 * The board is in the query, not in the path, so units of work do not check it automatically.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function refuseUnpermitted(ctx: Context, boardId: string | undefined): Promise<void> {
  if (boardId === undefined) return ctx.require('BOARDS_IMPORT', 'BOARDS_CREATE')
  const { access } = await ctx.reach('board', boardId)
  access.require(['BOARDS_IMPORT'])
}

/** The answer of an import, or of a dry run. */
export function reportOf({ id, steps, query, source, target, started }: ImportJob, tally: Tally, key: string | null) {
  const { isNew, boardId } = target
  const report = {
    import_id: id,
    board_id: query.dry_run && isNew ? null : boardId,
    key,
    ...tally.report(source.format, query.dry_run),
    duration_ms: Math.max(0, steps.environment.clock() - started),
  }
  return new ExplicitAnswer(report, query.dry_run || !isNew ? { status: 200 } : {})
}

/** Records an import in the audit. */
export const auditImport = (ctx: Context, { query, source, target }: ImportJob): Promise<void> =>
  recordAudit(ctx, 'imported', { type: 'board', id: target.boardId, name: query.name ?? source.board.name }, [
    source.format,
  ])

/** The time and the ids of what an import writes. */
export const unitOf = ({ entered, steps }: ImportJob): Unit => ({ now: entered.now, newId: steps.environment.newId })

/** The refusal of an import whose node was silent for so long that another one has removed what it wrote. */
export const importAbandoned = new DomainError(
  'BUSY',
  'The import took too long without an answer from the database. Try again.',
)

/** How often and after what time an action is retried while the disk is full or the database busy. */
const patience = { attempts: 40, ms: 250 } as const

/** Completes whatever was begun: waits while the disk is full or the database is busy. */
export async function retryWhileBusy<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run()
    } catch (error) {
      const passes = error instanceof StorageError && (error.code === 'BUSY' || error.code === 'STORAGE_FULL')
      if (!passes || attempt === patience.attempts) throw error
      await setTimeout(patience.ms)
    }
}
