import type { Context } from '../../kernel/context.ts'
import { ExplicitAnswer, type Implementation, type Input } from '../../kernel/implement.ts'
import { refsOf } from '../../kernel/references.ts'

/** The members that name the record of a row; the first one present counts. */
const subjects = ['card_id', 'sprint_id', 'spec_id', 'refinement_id', 'ideation_id'] as const

/** The members whose presence shows that a row is about the record that it names. */
const titles = ['title', 'card_title', 'spec_title'] as const

/** An answer before the references of its rows are added. */
export type WithoutRefs<Value> = Value extends readonly (infer Item)[]
  ? readonly WithoutRefs<Item>[]
  : Value extends ExplicitAnswer<infer Body>
    ? ExplicitAnswer<WithoutRefs<Body>>
    : Value extends object
      ? string extends keyof Value
        ? Value
        : {
            [Name in keyof Value as Name extends 'ref' ? never : Name]: WithoutRefs<Value[Name]>
          } & ('ref' extends keyof Value ? { readonly ref?: string } : unknown)
      : Value

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The id of the record that a row is about; undefined for other values, and for rows that already have its reference.
 */
function subjectOf(row: Members): string | undefined {
  if ('ref' in row || !titles.some(name => Object.hasOwn(row, name))) return undefined
  const id = row[subjects.find(name => Object.hasOwn(row, name)) ?? '']
  return typeof id === 'string' ? id : undefined
}

function* subjectsIn(value: unknown): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* subjectsIn(item)
  if (!isMembers(value)) return
  const id = subjectOf(value)
  if (id !== undefined) yield id
  for (const member of Object.values(value)) yield* subjectsIn(member)
}

function referred(value: unknown, refs: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map(item => referred(item, refs))
  if (!isMembers(value)) return value
  const id = subjectOf(value)
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, referred(member, refs)]))
  return id === undefined ? members : { ...members, ref: refs.get(id) }
}

/** An implementation that leaves it to `withRefs` to add references to its rows. */
export type Measurement<O> = (
  input: Input<O>,
  ctx: Context,
) => Promise<WithoutRefs<Awaited<ReturnType<Implementation<O>>>>>

/** An implementation whose rows carry the references of the records that they are about (work 1): one query for all. */
export const withRefs =
  <O>(run: Measurement<O>): Implementation<O> =>
  async (input, ctx) => {
    const answer: unknown = await run(input, ctx)
    const body = answer instanceof ExplicitAnswer ? answer.body : answer
    const whole = referred(body, await refsOf(ctx.db, subjectsIn(body)))
    // Only the references of its rows are added.
    return (answer instanceof ExplicitAnswer ? answer.with(whole) : whole) as Awaited<ReturnType<Implementation<O>>>
  }
