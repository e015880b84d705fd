import { operationByName, pathNames, registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { linksOf } from './links.ts'

const links = (name: string) => linksOf(operationByName.get(name)!)
const linking = registry.flatMap(operation =>
  Object.entries(linksOf(operation)).map(([name, link]) => ({ operation, name, link })),
)

test.each(linking)('$operation.name leads to $name with every path parameter it takes', ({ operation, name, link }) => {
  const target = operationByName.get(link.operationId)!
  expect(target.name).toBe(name)
  expect(Object.keys(link.parameters)).toStrictEqual(pathNames(target.path))
  for (const source of Object.values(link.parameters)) {
    const [, place, field] = /^\$(response\.body#\/|request\.path\.)(\w+)$/.exec(source)!
    if (place === 'request.path.') expect(pathNames(operation.path)).toContain(field)
    else expect((operation.response as z.ZodObject).shape[field!]!.safeParse(null).success).toBe(false)
  }
})

test('every create that answers a record of its own leads somewhere', () => {
  const creates = registry.filter(({ method, status, response }) => {
    const fields = response instanceof z.ZodObject ? Object.keys(response.shape) : []
    return method === 'POST' && status === 201 && fields.includes('id')
  })
  const without = creates.filter(operation => Object.keys(linksOf(operation)).length === 0).map(({ name }) => name)
  // A reservation is addressed only by release_paths, a validation of a spec by no operation, and the preview of a
  // report has no id.
  expect(without).toStrictEqual(['submit_test_report', 'reserve_paths', 'submit_spec_validation'])
})

describe('links', () => {
  test('of a record that the answer names lead to itself and what hangs on it', () => {
    const spec = links('create_spec')
    expect(spec.get_spec).toStrictEqual({
      operationId: 'get_spec',
      description: 'Get spec',
      parameters: { spec_id: '$response.body#/id' },
    })
    expect(Object.keys(spec)).toEqual(
      expect.arrayContaining(['update_spec', 'move_spec', 'delete_spec', 'create_spec_knowledge', 'create_sprint']),
    )
    expect(spec.create_sprint?.parameters).toStrictEqual({
      board_id: '$request.path.board_id',
      spec_id: '$response.body#/id',
    })
    expect(Object.keys(spec)).not.toContain('get_board')
  })

  test('of a part keep to its owner: a question on an ideation is none on a card', () => {
    expect(Object.keys(links('ask_ideation_question')).toSorted()).toStrictEqual([
      'answer_ideation_question',
      'delete_ideation_question',
    ])
  })

  test('of a grant take both parameters of its own path', () => {
    expect(links('grant_board_access').update_board_access?.parameters).toStrictEqual({
      agent_id: '$request.path.agent_id',
      board_id: '$request.path.board_id',
    })
  })

  test('of a copy lead to the copy, not to its source', () => {
    expect(links('clone_preset').update_preset?.parameters).toStrictEqual({ preset_id: '$response.body#/id' })
  })

  test('lead only to operations of the same document', () => {
    expect(linksOf(operationByName.get('create_card')!, [])).toStrictEqual({})
  })

  test('are for creates alone', () => {
    expect(links('get_card')).toStrictEqual({})
    expect(links('move_card')).toStrictEqual({})
  })
})
