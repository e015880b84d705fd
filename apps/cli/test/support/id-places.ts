import { type AnyOperation, bare } from '@specboard/contract'
import { z } from 'zod'

/** A place of a call's query or body that takes the id of a record: names of fields, and `[]` for an element. */
export type IdPlace = readonly string[]

/** The name of the field that a place is in. */
export const fieldOf = (place: IdPlace): string => place.findLast(step => step !== '[]')!

const namesRecords = (field: string): boolean => /_ids?$|^center$/.test(field)

/** Every place of an operation's query and body that takes the id of a record, at any depth. */
export function idPlaces({ query, body }: AnyOperation): readonly IdPlace[] {
  const places = [...texts(z.object(query), []), ...(body === undefined ? [] : texts(body, []))]
  return places.filter(place => namesRecords(fieldOf(place)))
}

/** Where a schema takes texts. */
function texts(schema: z.ZodType, at: IdPlace): IdPlace[] {
  const inner = bare(schema)
  if (inner instanceof z.ZodPipe) return texts(inner.in as z.ZodType, at)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([name, field]) => texts(field as z.ZodType, [...at, name]))
  if (inner instanceof z.ZodArray) return texts(inner.element as z.ZodType, [...at, '[]'])
  if (inner instanceof z.ZodUnion) return inner.options.flatMap(option => texts(option as z.ZodType, at))
  return inner instanceof z.ZodString ? [at] : []
}

/** The arguments of a call with an id at a place; missing values on the path to it are created as small as possible. */
export function withIdAt(
  { query, body }: AnyOperation,
  args: Readonly<Record<string, unknown>>,
  [name, ...rest]: IdPlace,
  id: string,
): Readonly<Record<string, unknown>> {
  const inner = body === undefined ? undefined : bare(body)
  const shape: Readonly<Record<string, z.ZodType>> = { ...(inner instanceof z.ZodObject && inner.shape), ...query }
  return { ...args, [name!]: reaching(shape[name!]!, rest, id) }
}

/** A value of a schema with an id at a place. */
function reaching(schema: z.ZodType, [step, ...rest]: IdPlace, id: string): unknown {
  if (step === undefined) return id
  const inner = bare(schema)
  if (inner instanceof z.ZodPipe) return reaching(inner.in as z.ZodType, [step, ...rest], id)
  if (inner instanceof z.ZodArray) return [reaching(inner.element as z.ZodType, rest, id)]
  if (inner instanceof z.ZodUnion) return reaching(leading(inner, step), [step, ...rest], id)
  if (!(inner instanceof z.ZodObject)) throw new Error(`Nothing leads to ${step}.`)
  return { ...(smallest(inner) as object), [step]: reaching(inner.shape[step] as z.ZodType, rest, id) }
}

/** The option of a union that has a field or elements. */
function leading({ options }: z.ZodUnion, step: string): z.ZodType {
  const inner = options.map(option => bare(option as z.ZodType))
  return inner.find(option => (option instanceof z.ZodObject ? step in option.shape : option instanceof z.ZodArray))!
}

/** The smallest value of a schema. */
function smallest(schema: z.ZodType): unknown {
  if (schema.safeParse(null).success) return null
  const inner = bare(schema)
  if (inner instanceof z.ZodObject) {
    const required = Object.entries(inner.shape).filter(
      ([, field]) => !(field as z.ZodType).safeParse(undefined).success,
    )
    return Object.fromEntries(required.map(([name, field]) => [name, smallest(field as z.ZodType)]))
  }
  if (inner instanceof z.ZodArray) return []
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodUnion) return smallest(inner.options[0] as z.ZodType)
  if (inner instanceof z.ZodNumber) return Math.max(inner.minValue ?? 0, 0)
  return inner instanceof z.ZodBoolean ? false : 'x'
}
