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
    changed: (ms, gone) => signals.next(board, ms, gone),
  })

/**
 * Checks a board repeatedly until something is found (work 5).
 * @throws DomainError BUSY when too many calls wait
 */
export const firstFound = <Answer>(
  board: string,
  steps: Steps,
  { signals, ...asked }: Omit<Parameters<typeof firstAnswer<Answer>>[1], 'changed'> & OfBoard,
): Promise<Answer> => firstAnswer(steps, { ...asked, changed: (ms, gone) => signals.next(board, ms, gone) })
