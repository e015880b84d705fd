import { type RawBuilder, sql } from 'kysely'

/** The tables whose records have a reference. */
export type NumberedTable = 'ideations' | 'refinements' | 'specs' | 'sprints' | 'cards'

/** A row with the reference of its record. */
export interface Referred {
  ref: string
}

/** The reference of a record, in a query over its table or an alias of it (work 1). */
export const refOf = (table: NumberedTable | (string & {})): RawBuilder<string> =>
  sql<string>`(select boards.key from boards where boards.id = ${sql.ref(`${table}.board_id`)})
    || '-' || ${sql.ref(`${table}.number`)}`

/**
 * The reference of a part of a record, in a query over the part's table: that of its record, a letter and its number
 * (crew 8.2).
 */
const partRef = (
  table: string,
  letter: string,
  owners: readonly NumberedTable[],
  owner: string,
): RawBuilder<string> => {
  const records = owners.map(
    records => sql`(select b.key || '-' || r.number from ${sql.table(records)} r join boards b on b.id = r.board_id
      where r.id = ${sql.ref(`${table}.${owner}`)})`,
  )
  const record = records.length === 1 ? records[0]! : sql`coalesce(${sql.join(records)})`
  return sql<string>`${record} || ${sql.lit(`.${letter}`)} || ${sql.ref(`${table}.number`)}`
}

/** The records that have questions. */
export const questioned = ['cards', 'specs', 'ideations', 'refinements'] as const satisfies readonly NumberedTable[]

/** The reference of a question, in a query over questions. */
export const questionRef = partRef('questions', 'q', questioned, 'owner_id')

/** The records with rows of knowledge; the knowledge of cards is stored in the card. */
export const informed = ['specs', 'refinements'] as const satisfies readonly NumberedTable[]

/** The reference of knowledge, in a query over knowledge. */
export const knowledgeRef = partRef('knowledge', 'k', informed, 'owner_id')

/** The reference of an attachment, in a query over attachments. */
export const attachmentRef = partRef('attachments', 'a', ['cards'], 'card_id')

/** The reference of a verdict on a card, in a query over task_validations. */
export const taskValidationRef = partRef('task_validations', 'v', ['cards'], 'card_id')

/** The reference of a verdict on a spec, in a query over spec_validations. */
export const specValidationRef = partRef('spec_validations', 'v', ['specs'], 'spec_id')

/** The reference of a design, in a query over architecture_designs or an alias of it. */
export const designRef = (table = 'architecture_designs') => partRef(table, 'd', questioned, 'parent_id')

/**
 * The knowledge of a card, each entry with its number: entries that never got one are numbered by position (crew 8.2).
 */
export const numberedEntries = <Entry extends { readonly number?: number }>(entries: readonly Entry[]) =>
  entries.map((entry, index) => ({ ...entry, number: entry.number ?? index + 1 }))

/** Adds references to a record's verdicts, which are never removed and so are numbered by position (crew 8.2). */
export const withEvaluationRefs = <Evaluation extends object>(record: string, evaluations: readonly Evaluation[]) =>
  evaluations.map((evaluation, index) => ({ ...evaluation, ref: `${record}.e${index + 1}` }))

/** The reference of a comment, in a query over comments. */
export const commentRef = partRef('comments', 'c', ['cards'], 'card_id')
