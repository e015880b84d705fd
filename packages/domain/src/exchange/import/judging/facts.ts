/** The facts about kinds of records, and about single records of a file, that judging an import needs. */
import { tableNamed } from '../../../schema/tables/all.ts'
import { kindOf, type RecordType } from '../../kinds/kinds.ts'
import { storedDigest } from '../merge.ts'
import type { Row } from '../rows.ts'
import type { Source, SourceRecord } from '../source.ts'

/** The kinds whose import is recorded in the event log, if the file brings no log. */
export const logged: ReadonlySet<RecordType> = new Set(['ideation', 'refinement', 'spec', 'sprint', 'card'])

/** The kinds whose records change after they are created: a later import may change them again. */
export const changing: ReadonlySet<RecordType> = new Set([
  'guideline',
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'card',
  'question',
  'knowledge',
  'comment',
  'architecture',
  'saved_search',
  'template',
  'repository',
])

/** The key of an external record: ids in an archive are unique within a kind only. */
export const externalIdOf = ({ format }: Source, type: RecordType, id: string): string =>
  format === 'specboard' ? `${type} ${id}` : id

/** The record in whose log an imported record appears. */
export function ownerOf(type: RecordType, row: Row, here: string): { readonly type: string; readonly id: string } {
  if (type === 'knowledge' || type === 'question' || type === 'snapshot')
    return { type: String(row.owner_type), id: String(row.owner_id) }
  if (typeof row.card_id === 'string') return { type: 'card', id: row.card_id }
  if (type === 'template') return { type: 'board', id: String(row.board_id) }
  return { type, id: here }
}

/** The letter and the parent tables of a kind of part; undefined for records that are not parts. */
export const partOf = (type: RecordType) => tableNamed(kindOf.get(type)!.table)!.part

/** Whether the file gives a value for a column of a record. */
export const isGiven = ({ fileFields }: SourceRecord, name: string): boolean =>
  fileFields === undefined || fileFields.includes(name)

/** The version of a design tells whether its own versions can be continued with those of the file. */
export const versionDigest = ({ version }: Row): string =>
  storedDigest(kindOf.get('architecture')!.columns.version!, version)
