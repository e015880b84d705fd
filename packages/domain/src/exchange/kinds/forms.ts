/**
 * The form of a value in its table: unchanged, a number for a boolean, or JSON; `judgements` are a list whose items are
 * marked in the table as imported, and have no mark in an archive (walls 5); for a `change`, an archive does not say
 * whether commits are missing.
 */
export type Form = 'plain' | 'flag' | 'nullable flag' | 'json' | 'judgements' | 'change'

/** What writing an archive needs to know about a column. It is plain data that can be passed to a thread. */
export interface Written {
  readonly form: Form
  /** It names an agent. */
  readonly isAuthor?: true
  /** Members at any depth that name agents. */
  readonly authorsIn?: readonly string[]
}

/** The columns of a kind of record, as needed to write an archive. */
export type WrittenColumns = Readonly<Record<string, Written>>

type Convert = (value: unknown) => unknown

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
  judgements: {
    toRecord: stored => (stored === null ? null : JSON.parse(stored as string).map(unmarked)),
    toStored: value =>
      value === null
        ? null
        : JSON.stringify((value as readonly object[]).map(judgement => ({ ...judgement, imported: true }))),
  },
}

/** A stored value in its archive form. */
export const toRecord = ({ form }: Pick<Written, 'form'>, stored: unknown): unknown => forms[form].toRecord(stored)

/** An archive's value in its stored form. */
export const toStored = ({ form }: Pick<Written, 'form'>, value: unknown): unknown => forms[form].toStored(value)
