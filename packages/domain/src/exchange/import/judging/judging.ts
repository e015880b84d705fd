import type { Context } from '../../../kernel/context.ts'
import type { ImportWrite } from '../../../schema/contents.ts'
import type { Authors } from '../authors.ts'
import type { Waits } from '../circles.ts'
import type { Row, RowContext } from '../rows.ts'
import type { Source, SourceRecord } from '../source.ts'
import type { Tally } from '../tally.ts'
import type { Target } from '../write.ts'

/** What is needed to check records. */
export interface JudgingParts {
  readonly source: Source
  readonly target: Target
  readonly naming: RowContext
  /** The same, for comparing an existing record: its author is identified by id on both sides. */
  readonly comparing: RowContext
  /** The authors of the file; those that the board did not know are the ones in `added`. */
  readonly authors: Authors
  readonly tally: Tally
  /** Whether records keep the ids and numbers in the file. */
  readonly keeps: boolean
  /** Whether the file was checked before, so that nothing needs to be looked up: a new board is still empty. */
  readonly again: boolean
  readonly newId: () => string
  readonly now: string
  readonly read: <Value>(run: (ctx: Context) => Promise<Value>) => Promise<Value>
  /** The links of the board; those of the file are added later. */
  readonly waits: Waits
  /** The author of log entries about records of other tools. */
  readonly caller: { readonly id: string; readonly name: string }
}

/** A record of the file with its writes; there are no writes if it already exists or is left out. */
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
