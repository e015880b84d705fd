import { type AnyOperation, bare } from '@specboard/contract'
import { z } from 'zod'

type Values = Readonly<Record<string, unknown>>

/** The values that apply to fields missing from a body. */
interface AbsentFields {
  readonly names: ReadonlySet<string>
  readonly required: readonly string[]
  readonly defaults: Values
}

const cache = new WeakMap<AnyOperation, AbsentFields>()

/** Computed once per operation, from what each field's schema makes of its absence. */
function absentFieldsOf(operation: AnyOperation): AbsentFields {
  const cached = cache.get(operation)
  if (cached !== undefined) return cached
  const { body } = operation
  const inner = body === undefined ? undefined : bare(body)
  const fields = inner instanceof z.ZodObject ? Object.entries(inner.shape as Readonly<Record<string, z.ZodType>>) : []
  const absent = fields.map(([name, schema]) => ({ name, ...z.safeParse(z.object({ [name]: schema }), {}) }))
  const absentFields: AbsentFields = {
    names: new Set(fields.map(([name]) => name)),
    required: absent.flatMap(({ name, success }) => (success ? [] : [name])),
    defaults: Object.assign({}, ...absent.map(({ data }) => data)),
  }
  cache.set(operation, absentFields)
  return absentFields
}

/** Whether the body of an operation has a field. */
export const hasField = (operation: AnyOperation, name: string): boolean => absentFieldsOf(operation).names.has(name)

/** The fields that the body of an operation must have. */
export const requiredFields = (operation: AnyOperation): readonly string[] => absentFieldsOf(operation).required

/** Part of a body, with the defaults of the fields that it lacks. */
export const withDefaults = (operation: AnyOperation, values: Values): Values => ({
  ...absentFieldsOf(operation).defaults,
  ...values,
})
