import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyOperation, bare, guardedBy, guardsOf, isStateLimit, operationByName, registry } from '../src/mod.ts'

/** Bodies with every field, one for each combination of the values of its enumerations. */
function bodiesOf({ body }: AnyOperation): Record<string, unknown>[] {
  const object = body === undefined ? undefined : bare(body)
  if (!(object instanceof z.ZodObject)) return [{}]
  return Object.entries(object.shape as Record<string, z.ZodType>).reduce<Record<string, unknown>[]>(
    (bodies, [name, field]) => {
      const inner = bare(field)
      const values = inner instanceof z.ZodEnum ? inner.options : [[name]]
      return bodies.flatMap(fields => values.map(value => ({ ...fields, [name]: value })))
    },
    [{}],
  )
}

describe('guards', () => {
  const ruled = registry.filter(({ asks }) => asks !== undefined)

  test.each(ruled.map(operation => [operation.name, operation] as const))(
    'of %s are all it can ask for',
    (_, operation) => {
      const named = new Set(guardsOf(operation).map(({ permission }) => permission))
      const asked = bodiesOf(operation).flatMap(body =>
        [null, 'draft', 'validated', 'not_started'].flatMap(status =>
          operation.asks!.permissions({ params: {}, query: {}, body }, status),
        ),
      )
      expect([...new Set(asked)].filter(name => !named.has(name) && !isStateLimit(name))).toEqual([])
    },
  )

  test('are the permission itself where there is no rule, and none where any key will do', () => {
    expect(guardsOf(operationByName.get('get_card')!)).toEqual([{ permission: 'CARDS_READ' }])
    expect(guardsOf(operationByName.get('get_my_permissions')!)).toEqual([])
  })
})

describe('a permission guards', () => {
  test('operations, with their parts', () => {
    expect(guardedBy('COMMENTS_CREATE_CHOICE', registry)).toEqual([
      { operation: 'create_comment', parts: ['a choice'] },
    ])
    expect(guardedBy('COMMENTS_RESPOND', registry)).toEqual([{ operation: 'respond_to_comment', parts: [] }])
  })

  test('not those that ask for it beside their own, as the READ of the record they hang on', () => {
    expect(guardedBy('CARDS_READ', registry).map(({ operation }) => operation)).not.toContain('respond_to_comment')
  })
})
