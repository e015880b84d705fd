import { expect, test } from 'vitest'
import { z } from 'zod'
import { bare } from './issues.ts'
import { registry } from './registry.ts'

/** Operations that judge their input without storing it. */
const judged = new Set(['validate_architecture'])

/** The schemas of members with the name `title` in a body, by the operation and their place. */
function titlesIn(place: string, schema: z.ZodType): [string, z.ZodType][] {
  const inner = bare(schema)
  if (inner instanceof z.ZodArray) return titlesIn(`${place}[]`, inner.element as z.ZodType)
  if (inner instanceof z.ZodUnion) return inner.options.flatMap(option => titlesIn(place, option as z.ZodType))
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape).flatMap(([name, member]): [string, z.ZodType][] =>
    name === 'title' ? [[`${place}.title`, member as z.ZodType]] : titlesIn(`${place}.${name}`, member as z.ZodType),
  )
}
const titles = registry.flatMap(({ name, body }) =>
  body === undefined || judged.has(name) ? [] : titlesIn(name, body),
)

test.each(titles)('%s becomes one line (crew 9.14)', (_, schema) => {
  expect(schema.parse('Two\r\nlines\u2028\nand more')).toBe('Two lines and more')
})
