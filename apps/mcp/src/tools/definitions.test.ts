import { type AnyOperation, type Effect, type Method, operationByName, registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { percentile } from '../token-cost.ts'
import { additionsOf, reservedNames } from './additions.ts'
import { toolAnnotations } from './annotations.ts'
import { clashesOf, knownClashes, planOf } from './arguments.ts'
import { definitionsOf, type ToolDefinition, wholeDefinition } from './definitions.ts'
import { order, toolsets } from './toolsets.ts'
import { viewOf } from './view.ts'

const tools = (request: Parameters<typeof viewOf>[0] = {}): ToolDefinition[] => {
  const view = viewOf(request, 'all')
  return definitionsOf(view.tools, view)
}

/** The operations that views may list: those for people only are in no view (people). */
const impersonal = registry.filter(({ caller }) => caller === undefined)

const listed = impersonal.map(operation => [operation.name, operation] as const)
/** The keywords of a schema, without the names of its properties. */
function keywordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties') return Object.values(value as object).flatMap(keywordsOf)
    return [key, ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? keywordsOf(value) : [])]
  })
}

describe('all', () => {
  test('is the operations and read_context, in the fixed order', () => {
    const names = tools().map(tool => tool.name)
    expect(names.toSorted()).toEqual(['read_context', ...impersonal.map(({ name }) => name)].toSorted())
    expect(names).toEqual(order.filter(name => name === 'read_context' || operationByName.has(name)))
    expect(names[0]).toBe('get_my_permissions')
  })

  test('is byte-identical each time', () => {
    expect(JSON.stringify(tools())).toBe(JSON.stringify(tools()))
  })
})

describe.each(tools({ toolsets: 'all,meta' }).map(tool => [tool.name, tool] as const))('%s', (_, tool) => {
  test('has a name, a title and a description that models can use', () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{2,39}$/)
    expect(tool.title.length).toBeLessThanOrEqual(32)
    expect(tool.title).toMatch(/^[A-Z]/)
    expect(tool.title.split(' ').length).toBeGreaterThanOrEqual(2)
    expect(tool.title.split(' ').length).toBeLessThanOrEqual(4)
    expect(tool.description.length).toBeLessThanOrEqual(160)
    expect(tool.description).toMatch(/^[A-Z].*\.$/)
  })

  test('has arguments that every client accepts', () => {
    const { inputSchema } = tool
    const keywords = keywordsOf(inputSchema)
    for (const keyword of [
      '$schema',
      '$ref',
      '$defs',
      'anyOf',
      'oneOf',
      'allOf',
      'format',
      'pattern',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
      'minItems',
      'maxItems',
    ])
      expect(keywords).not.toContain(keyword)
    expect(inputSchema.type).toBe('object')
    if (inputSchema.properties === undefined) {
      expect(inputSchema).toEqual({ type: 'object', additionalProperties: false })
      return
    }
    for (const [name, property] of Object.entries(inputSchema.properties)) {
      expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
      expect(Array.isArray(property.type)).toBe(false)
      expect(property.type === 'array').toBe('items' in property)
      for (const value of property.enum ?? []) expect(typeof value).toBe('string')
      const isShape = /[{}]|^as /.test(property.description ?? '')
      if (!isShape) expect((property.description ?? '').length).toBeLessThanOrEqual(60)
    }
    for (const name of inputSchema.required ?? []) expect(Object.keys(inputSchema.properties)).toContain(name)
  })

  test('states all four hints, and the title only once', () => {
    const { title: _, ...annotations } = { title: undefined, ...tool.annotations }
    expect(Object.keys(annotations).toSorted()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ])
    expect(Object.values(annotations).every(hint => typeof hint === 'boolean')).toBe(true)
    expect('title' in tool.annotations).toBe(false)
  })
})

test('descriptions are short: median at most 70 characters', () => {
  expect(
    percentile(
      registry.map(operation => operation.description.length),
      0.5,
    ),
  ).toBeLessThanOrEqual(70)
})

/** The table of mcp 7.7, by name and method: the effects of the interface's own operations. */
function expectedHints({ name, method }: AnyOperation) {
  if (['regenerate_agent_key', 'undo_kg_session', 'migrate_kg_schema'].includes(name))
    return toolAnnotations.destructive_once
  if (name === 'stream_kg_events') return toolAnnotations.live
  if (method === 'GET' || ['validate_architecture', 'query_kg_cypher'].includes(name)) return toolAnnotations.read
  if (method === 'DELETE' || /^(?:delete|remove|revoke)_/.test(name)) return toolAnnotations.destructive
  if (method === 'PATCH' || method === 'PUT') return toolAnnotations.repeatable
  const again =
    /^(?:un)?link_/.test(name) ||
    [
      'add_card_dependency',
      'grant_board_access',
      'add_board_guideline',
      'assign_sprint_tasks',
      'unassign_sprint_tasks',
      'archive_record',
      'restore_record',
      'cancel_kg_backfill',
    ].includes(name)
  return again ? toolAnnotations.repeatable : toolAnnotations.once
}

test.each(listed.filter(([, { extension }]) => !extension))('%s has the hints of its kind', (_, operation) => {
  expect(wholeDefinition(operation).annotations).toEqual(expectedHints(operation))
})

/** The effects that each method allows; the snapshot shows the one of each extension. */
const admitted: Readonly<Record<Method, readonly Effect[]>> = {
  GET: ['read', 'live'],
  DELETE: ['destructive', 'destructive_once'],
  PATCH: ['repeatable'],
  PUT: ['repeatable'],
  POST: ['once', 'repeatable', 'destructive', 'destructive_once', 'read'],
}

test.each(listed)('%s does what its method admits', (_, { method, effect }) => {
  expect(admitted[method]).toContain(effect)
})

test.each(listed)('%s uses no name twice and no reserved one', (name, operation) => {
  expect(clashesOf(operation)).toEqual(knownClashes[name] ?? [])
  const own = [...planOf(operation).arguments.values()].filter(({ places }) => places[0]!.part !== 'tool')
  expect(own.map(argument => argument.name).filter(argument => reservedNames.includes(argument))).toEqual([])
  const added = Object.keys(additionsOf(operation, false))
  expect(own.map(argument => argument.name).filter(argument => added.includes(argument))).toEqual([])
})

test('a shape that several tools share is written once and referred to elsewhere', () => {
  const [board, design] = [tools(), tools()].map(list => new Map(list.map(tool => [tool.name, tool])))
  const described = (list: typeof board, tool: string, argument: string) =>
    list?.get(tool)?.inputSchema.properties?.[argument]?.description
  expect(described(board, 'update_board', 'settings')).toMatch(/^\{max_scenarios_per_card:int,/)
  expect(described(board, 'create_board', 'settings')).toBe('as update_board')
  expect(described(design, 'create_ideation_architecture', 'entities')).toMatch(/^\{id,name\*,/)
  expect(described(design, 'update_architecture', 'entities')).toBe('as create_ideation_architecture')
  expect(described(board, 'create_ideation', 'screen_mockups')).toBe('as create_card')
  expect(described(board, 'create_card', 'screen_mockups')).toBe(
    '{id*,title*,description,screen_type,html_content,annotations[{id*,text*,author_id}],order:int,origin_id}',
  )
})

test.each(Object.keys(toolsets))('a shape in %s points only to tools of the list', set => {
  const listed = tools({ toolsets: set })
  for (const few of [listed, listed.filter((_, index) => index % 2 === 0)]) {
    const names = few.map(({ name }) => name)
    for (const { name, inputSchema } of definitionsOf(names, viewOf({}, set)))
      for (const { description } of Object.values(inputSchema.properties ?? {})) {
        const home = /(?:^|: )as (\w+)$/.exec(description ?? '')?.[1]
        if (home !== undefined) expect(names, `${name} names ${home}`).toContain(home)
      }
  }
})

test('output schemas appear only on request, small and open', () => {
  expect(tools().some(tool => 'outputSchema' in tool)).toBe(false)
  for (const { outputSchema } of tools({ schemas: 'output' })) {
    if (outputSchema === undefined) continue
    expect(JSON.stringify(outputSchema).length).toBeLessThanOrEqual(1200)
    expect(outputSchema.type).toBe('object')
    expect(outputSchema.required ?? ['id']).toEqual(['id'])
  }
})

test('a view of one board shows no board_id and no tool that works across boards', () => {
  const bound = tools({ boardId: 'b' })
  expect(bound.some(tool => 'board_id' in (tool.inputSchema.properties ?? {}))).toBe(false)
  for (const name of ['list_boards', 'create_board', 'create_agent', 'list_presets', 'create_board_share'])
    expect(bound.map(tool => tool.name)).not.toContain(name)
})
