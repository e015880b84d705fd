import { countedSpecs, countingTriggers, splittingTrigger } from '../list-counts.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

/** What the migration decided that an operator should know. */
export const note =
  'custom presets lack CARDS_CREATE_SMALL, CARDS_MOVE_DONE_SMALL, CARDS_MOVE_DONE_TEST and CARDS_PROMOTE; whoever may CARDS_CREATE or CARDS_MOVE_DONE loses nothing'

/** The columns that both databases get. */
export const texts = [
  `alter table specs add column standing bigint not null default 0`,
  `create index specs_standing on specs (board_id, created_at, id) where standing = 1`,
  `alter table cards add column regression_test text`,
  `alter table cards add column planned_check text`,
  `alter table cards add column imported bigint not null default 0`,
]

/** The triggers that count specs, without the one that collects small changes. */
export const triggers = [...countingTriggers(countedSpecs), splittingTrigger(countedSpecs)]

/** Small changes: the standing spec of a board, checks, and past work (crew 6). */
export const migration = statements([
  ...texts,
  ...triggers.map(({ name }) => `drop trigger ${name}`),
  ...triggers.map(sqliteTrigger),
])
