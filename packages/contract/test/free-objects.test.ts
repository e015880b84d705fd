import { expect, test } from 'vitest'
import { z } from 'zod'
import { freeJsonLimits } from '../src/free-json.ts'
import { parseInput } from '../src/input.ts'
import { bare } from '../src/issues.ts'
import { registry } from '../src/mod.ts'

type Path = readonly (string | number)[]

/** A place in a body that takes values of any form. */
interface FreePlace {
  readonly path: Path
  /** Makes the body with a value at the place. */
  readonly bodyWith: (value: unknown) => unknown
}

/** A value that a schema accepts, with only what is required. */
function least(schema: z.ZodType): unknown {
  const inner = bare(schema)
  if (inner instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(inner.shape as Readonly<Record<string, z.ZodType>>)
        .filter(([, field]) => !z.safeParse(z.object({ field }), {}).success)
        .map(([name, field]) => [name, least(field)]),
    )
  if (inner instanceof z.ZodUnion) return least(inner.options[0] as z.ZodType)
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodLiteral) return inner.value
  if (inner instanceof z.ZodNumber) return 1
  if (inner instanceof z.ZodBoolean) return true
  if (inner instanceof z.ZodArray) return []
  if (inner instanceof z.ZodRecord) return {}
  return 'x'
}

/** The places of a schema that take values of any form. */
function freePlaces(schema: z.ZodType, path: Path, bodyWith: (value: unknown) => unknown): FreePlace[] {
  const inner = bare(schema)
  const isAny = (within: unknown) => within instanceof z.ZodUnknown || within instanceof z.ZodAny
  if (isAny(inner)) return [{ path, bodyWith }]
  if (inner instanceof z.ZodUnion)
    return inner.options.flatMap(option => freePlaces(option as z.ZodType, path, bodyWith))
  if (inner instanceof z.ZodPipe) return freePlaces(inner.in as z.ZodType, path, bodyWith)
  if (inner instanceof z.ZodArray)
    return freePlaces(inner.element as z.ZodType, [...path, 0], value => bodyWith([value]))
  if (inner instanceof z.ZodRecord)
    return freePlaces(inner.valueType as z.ZodType, [...path, 'free'], value => bodyWith({ free: value }))
  if (!(inner instanceof z.ZodObject)) return []
  const fields = Object.entries(inner.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, field]) =>
    freePlaces(field, [...path, name], value => bodyWith({ ...(least(inner) as object), [name]: value })),
  )
  const isLoose = isAny(inner.def.catchall)
  const other = (value: unknown) => bodyWith({ ...(least(inner) as object), free: value })
  return isLoose ? [...fields, { path: [...path, 'free'], bodyWith: other }] : fields
}

const places = registry.flatMap(operation =>
  operation.body === undefined
    ? []
    : freePlaces(operation.body, [], value => value).map(place => ({
        ...place,
        operation,
        name: `${operation.name} ${place.path.join('.')}`,
      })),
)

/** Places with rules of their own: a number or word of an enumeration, else 400; and 16 kB of a submitter's own keys. */
const otherwiseJudged = new Set([
  ...['outcome', 'recommendation', 'confidence', 'estimated_completeness', 'estimated_drift'].map(
    field => `submit_task_validation ${field}`,
  ),
  'submit_sprint_evaluation free',
])

const free = places.filter(({ name }) => !otherwiseJudged.has(name))

const faults = ({ operation, bodyWith }: (typeof places)[number], value: unknown) => {
  const parsed = parseInput(operation, { params: {}, query: {}, body: bodyWith(value) })
  return parsed.ok ? [] : parsed.items.filter(({ loc }) => loc[0] === 'body').map(({ type }) => type)
}

test('places of free JSON are found in evidence, contracts, settings, payloads and parameters', () => {
  const names = places.map(({ name }) => name)
  for (const place of [
    'update_spec test_scenarios.0.evidence.free',
    'create_spec api_contracts.0.request_body.free',
    'update_spec api_contracts.0.response_errors.0.free',
    'create_ideation scope_assessment.free',
    'put_diagram_payload payload.free',
    'query_kg_cypher params.free',
  ])
    expect(names).toContain(place)
})

test.each(free)('$name takes no list that is too long, and no text (walls 3, rule 2)', place => {
  const { members, characters, depth } = freeJsonLimits
  expect(faults(place, Array(members + 1).fill(0))).toContain('too_long')
  expect(faults(place, { inner: { list: Array(members + 1).fill(0) } })).toContain('too_long')
  expect(faults(place, ['x'.repeat(characters + 1)])).toContain('string_too_long')
  expect(faults(place, JSON.parse(`${'['.repeat(depth + 1)}${']'.repeat(depth + 1)}`))).toContain('too_deep')
})

test('the own keys of an evaluation take 16 kB together', () => {
  const place = places.find(({ name }) => name === 'submit_sprint_evaluation free')!
  expect(faults(place, Array(8_000).fill(0))).toEqual([])
  for (const value of [Array(8_200).fill(0), { inner: ['x'.repeat(16_400)] }])
    expect(faults(place, value)).toEqual(['value_error'])
})

test('every place that is judged otherwise is one', () => {
  expect(places.map(({ name }) => name)).toEqual(expect.arrayContaining([...otherwiseJudged]))
})
