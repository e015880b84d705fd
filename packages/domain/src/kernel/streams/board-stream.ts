import type { Steps, StreamAnswer } from '../implement.ts'
import type { BoardSignals } from './board-signals.ts'
import { rightsOn } from './listener-rights.ts'
import { firstAnswer, openStream, type StreamKind } from './open-stream.ts'

/** The source of the changes that a stream of one board waits for. */
interface OfBoard {
  /** Notified when there is something new. */
  readonly signals: BoardSignals
}

/**
 * An open stream of a board.
 * @throws DomainError BUSY when too many streams are open
 */
export const boardStream = (
  board: string,
  steps: Steps,
  { signals, ...course }: Omit<StreamKind, 'changed' | 'standing'> & OfBoard,
): Promise<StreamAnswer> =>
  openStream(steps, {
    ...course,
    standing: rightsOn(board),
    changed: (ms, signal) => signals.next(board, ms, signal),
  })

/**
 * Checks a board repeatedly until something is found (work 5).
 * @throws DomainError BUSY when too many calls wait
 */
export const firstFound = <Answer>(
  board: string,
  steps: Steps,
  { signals, ...options }: Omit<Parameters<typeof firstAnswer<Answer>>[1], 'changed'> & OfBoard,
): Promise<Answer> => firstAnswer(steps, { ...options, changed: (ms, signal) => signals.next(board, ms, signal) })
