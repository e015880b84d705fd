import { type AnyOperation, bare } from '@specboard/contract'
import { z } from 'zod'

type Values = Readonly<Record<string, unknown>>

const shapeOf = ({ body }: AnyOperation): Readonly<Record<string, z.ZodType>> => {
  const inner = body === undefined ? undefined : bare(body)
  return inner instanceof z.ZodObject ? (inner.shape as Readonly<Record<string, z.ZodType>>) : {}
}

/** What a body without a field has in its place: its default, undefined where it is optional; or that it is required. */
const absent = (name: string, schema: z.ZodType) => z.safeParse(z.object({ [name]: schema }), {})

/** The fields that the body of an operation must have. */
export const requiredFields = (operation: AnyOperation): string[] =>
  Object.entries(shapeOf(operation)).flatMap(([name, schema]) => (absent(name, schema).success ? [] : [name]))

/** A part of a body with the defaults of the fields that it lacks. */
export const withDefaults = (operation: AnyOperation, sent: Values): Values => ({
  ...Object.fromEntries(
    Object.entries(shapeOf(operation)).flatMap(([name, schema]) => Object.entries(absent(name, schema).data ?? {})),
  ),
  ...sent,
})
