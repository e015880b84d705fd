import type { Context } from '../../../kernel/context.ts'
import type { ImportWrite } from '../../../schema/contents.ts'
import type { Authors } from '../authors.ts'
import type { Waits } from '../circles.ts'
import type { Row, RowContext } from '../rows.ts'
import type { Source, SourceRecord } from '../source.ts'
import type { Tally } from '../tally.ts'
import type { Target } from '../write.ts'

/** What checking records needs. */
export interface JudgingParts {
  readonly source: Source
  readonly target: Target
  readonly naming: RowContext
  /** The same, for comparing an existing record: its author is identified by id on both sides. */
  readonly comparing: RowContext
  /** The authors that are new here are those that it added. */
  readonly authors: Authors
  readonly tally: Tally
  /** Whether records keep the ids and numbers in the file. */
  readonly keeps: boolean
  /** Whether it was checked before, so that nothing needs to be looked up: a new board has nothing yet. */
  readonly again: boolean
  readonly newId: () => string
  readonly now: string
  readonly read: <Value>(run: (ctx: Context) => Promise<Value>) => Promise<Value>
  /** The links of the board; those of the file are still to come. */
  readonly waits: Waits
  /** The author of log entries about records of other tools. */
  readonly caller: { readonly id: string; readonly name: string }
}

/** A record of the file and its writes: none if it already exists or is left out. */
export interface JudgedRecord {
  readonly record: SourceRecord
  /** The id that it has here. */
  readonly here: string
  readonly row: Row
  /** The existing row, for a record that changes. */
  readonly before?: Row
  /** Made on demand: a reading that only checks does not need them. */
  readonly writes: () => readonly ImportWrite[]
}
