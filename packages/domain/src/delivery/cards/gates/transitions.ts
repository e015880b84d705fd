import { rankLeft } from '../../../planning/review/card-ranks.ts'
import type { CardType, Status } from '../../card-record/record.ts'

/** A condition that a move must meet (cards 4.3). */
export type GateName =
  | 'spec'
  | 'sprint'
  | 'validation'
  | 'scenarios'
  | 'bug_test'
  | 'report'
  | 'dependencies'
  | 'proof'
  | 'change'
  | 'checks'

const statuses = Object.keys(rankLeft) as Status[]
/** The types of cards whose work may include code. */
const withCode: readonly CardType[] = ['normal', 'bug']

const statusesUpTo = (atMost: number) => statuses.filter(status => rankLeft[status] <= atMost)

/** A row of the table of gates: the moves that it applies to, and their gates in order. */
export interface MoveRow {
  readonly to: Status
  readonly from: readonly Status[]
  /** The card types that the row applies to; all by default. */
  readonly types?: readonly CardType[]
  readonly gates: readonly GateName[]
}

/**
 * The moves with gates (cards 4.2); the first matching row applies. A card may move from any status to any other: a
 * move without a row is free, except that a report sent with it must be complete (4.4).
 */
export const gatedMoves: readonly MoveRow[] = [
  { to: 'started', from: statusesUpTo(0), gates: ['spec', 'sprint', 'report', 'dependencies'] },
  { to: 'in_progress', from: statusesUpTo(1), gates: ['spec', 'sprint', 'bug_test', 'report', 'dependencies'] },
  { to: 'validation', from: statusesUpTo(1), gates: ['spec', 'sprint', 'bug_test', 'report', 'dependencies'] },
  { to: 'validation', from: ['in_progress', 'done'], types: ['bug'], gates: ['bug_test', 'report'] },
  {
    to: 'done',
    from: ['validation'],
    types: withCode,
    gates: ['validation', 'report', 'dependencies', 'proof', 'change', 'checks'],
  },
  {
    to: 'done',
    from: statuses.filter(status => status !== 'done'),
    types: withCode,
    gates: [
      'spec',
      'sprint',
      'validation',
      'scenarios',
      'bug_test',
      'report',
      'dependencies',
      'proof',
      'change',
      'checks',
    ],
  },
  // A test card has no code of its own to merge (git 6).
  {
    to: 'done',
    from: statuses.filter(status => status !== 'done'),
    gates: ['spec', 'sprint', 'validation', 'scenarios', 'bug_test', 'report', 'dependencies', 'proof'],
  },
]

/** The gates of a move, in the order in which they are checked. */
export const gatesOf = (type: CardType, from: Status, to: Status): readonly GateName[] =>
  gatedMoves.find(row => row.to === to && row.from.includes(from) && (row.types ?? [type]).includes(type))?.gates ?? [
    'report',
  ]
