/**
 * How a value is stored in its table: unchanged, as a number for yes or no, or as JSON. `judgements` is a list whose
 * items are marked in the table if they came with an import; in an archive they have no mark (walls 5). For a `change`,
 * an archive does not say whether commits are missing; for a `trust`, it does not say who set it and what it pinned.
 * `cases` are those of a report.
 */
export type Form = 'plain' | 'flag' | 'nullable flag' | 'json' | 'judgements' | 'change' | 'trust' | 'cases'

/** The facts about a column that are needed to write an archive. They are plain data that can be passed to a thread. */
export interface WrittenColumn {
  readonly form: Form
  /** Whether the column names an agent. */
  readonly isAuthor?: true
  /** Members at any depth that name agents. */
  readonly authorsIn?: readonly string[]
}

/** The columns of a kind of record, as needed to write an archive. */
export type WrittenColumns = Readonly<Record<string, WrittenColumn>>

type Convert = (value: unknown) => unknown

/** The members of a report's test that are stored in another form than in an archive. */
interface StoredCase {
  readonly is_flaky: 0 | 1
  readonly refs: string
}
interface WrittenCase {
  readonly flaky: boolean
  readonly refs: readonly string[]
}

const same: Convert = value => value

const unmarked = ({ imported: _, ...judgement }: Readonly<Record<string, unknown>>) => judgement

const forms: Readonly<Record<Form, { readonly toRecord: Convert; readonly toStored: Convert }>> = {
  plain: { toRecord: same, toStored: same },
  flag: { toRecord: stored => stored === 1, toStored: value => (value === true ? 1 : 0) },
  'nullable flag': {
    toRecord: stored => (stored === null ? null : stored === 1),
    toStored: value => (value === null ? null : value === true ? 1 : 0),
  },
  json: {
    toRecord: stored => (stored === null ? null : JSON.parse(stored as string)),
    toStored: value => (value === null ? null : JSON.stringify(value)),
  },
  change: {
    toRecord: stored => {
      const { gap: _, ...content } = JSON.parse(stored as string)
      return content
    },
    toStored: value => JSON.stringify(value),
  },
  trust: {
    toRecord: stored => {
      if (stored === null) return null
      const { pinned_id: _, set_by: __, set_at: ___, set_present: ____, ...trust } = JSON.parse(stored as string)
      return trust
    },
    toStored: value => (value === null ? null : JSON.stringify(value)),
  },
  cases: {
    toRecord: stored =>
      (JSON.parse(stored as string) as StoredCase[]).map(({ is_flaky, refs, ...each }) => ({
        ...each,
        flaky: is_flaky === 1,
        refs: JSON.parse(refs),
      })),
    toStored: value =>
      JSON.stringify(
        (value as WrittenCase[]).map(({ flaky, refs, ...each }) => ({
          ...each,
          is_flaky: flaky ? 1 : 0,
          refs: JSON.stringify(refs),
        })),
      ),
  },
  judgements: {
    toRecord: stored => (stored === null ? null : JSON.parse(stored as string).map(unmarked)),
    toStored: value =>
      value === null
        ? null
        : JSON.stringify((value as readonly object[]).map(judgement => ({ ...judgement, imported: true }))),
  },
}

/** A stored value in its archive form. */
export const toRecord = ({ form }: Pick<WrittenColumn, 'form'>, stored: unknown): unknown =>
  forms[form].toRecord(stored)

/** An archive's value in its stored form. */
export const toStored = ({ form }: Pick<WrittenColumn, 'form'>, value: unknown): unknown => forms[form].toStored(value)
