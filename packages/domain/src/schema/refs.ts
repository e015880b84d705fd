import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Table } from './table.ts'
import type { NumberedTable } from './tables/all.ts'
import { attachments, comments, taskValidations } from './tables/delivery.ts'
import { specValidations } from './tables/planning.ts'
import { architectureDesigns, knowledge, questions } from './tables/planning-parts.ts'

/** A row with the reference of its record. */
export interface WithReference {
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
export const partRef = ({ name, part }: Table, alias: string = name): RawBuilder<string> => {
  const { letter, of, by } = part!
  const records = of.map(
    records => sql`(select b.key || '-' || r.number from ${sql.table(records)} r join boards b on b.id = r.board_id
      where r.id = ${sql.ref(`${alias}.${by}`)} and ${dialect.onBoard(sql.ref('r.board_id'), sql.ref(`${alias}.board_id`))})`,
  )
  const record = records.length === 1 ? records[0]! : sql`coalesce(${sql.join(records)})`
  return sql<string>`${record} || ${sql.lit(`.${letter}`)} || ${sql.ref(`${alias}.number`)}`
}

/** The reference of a question, in a query over questions. */
export const questionRef = partRef(questions)

/** The reference of knowledge, in a query over knowledge. */
export const knowledgeRef = partRef(knowledge)

/** The reference of an attachment, in a query over attachments. */
export const attachmentRef = partRef(attachments)

/** The reference of a verdict on a card, in a query over task_validations. */
export const taskValidationRef = partRef(taskValidations)

/** The reference of a verdict on a spec, in a query over spec_validations. */
export const specValidationRef = partRef(specValidations)

/** The reference of a design, in a query over architecture_designs or an alias of it. */
export const designRef = (alias?: string) => partRef(architectureDesigns, alias)

/**
 * The knowledge of a card, each entry with its number: entries that never got one are numbered by position (crew 8.2).
 */
export const numberedEntries = <Entry extends { readonly number?: number }>(entries: readonly Entry[]) =>
  entries.map((entry, index) => ({ ...entry, number: entry.number ?? index + 1 }))

/** Adds references to a record's verdicts, which are never removed and so are numbered by position (crew 8.2). */
export const withEvaluationRefs = <Evaluation extends object>(record: string, evaluations: readonly Evaluation[]) =>
  evaluations.map((evaluation, index) => ({ ...evaluation, ref: `${record}.e${index + 1}` }))

/** The reference of a comment, in a query over comments. */
export const commentRef = partRef(comments)
