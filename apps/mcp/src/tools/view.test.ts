import { type AnyOperation, features, registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { complete, core, metaTools, toolsets } from './toolsets.ts'
import { isToolsets, toolNamed, type ViewRequest, viewOf } from './view.ts'

const names = (request: ViewRequest) => viewOf(request, 'all').tools

test('the toolsets name operations, none of them twice', () => {
  expect(toolsets.all!.toSorted()).toEqual(
    registry
      .filter(({ caller }) => caller === undefined)
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(toolsets.interface!.length).toBe(registry.filter(({ extension }) => !extension).length)
  for (const [feature, operations] of Object.entries(features))
    expect(toolsets[feature] ?? []).toEqual(
      Object.values<AnyOperation>(operations)
        .filter(({ name, caller }) => name !== 'stream_board_events' && caller === undefined)
        .map(({ name }) => name),
    )
  for (const set of Object.values(toolsets)) {
    expect(set.every(name => toolNamed(name) === name)).toBe(true)
    expect(new Set(set).size).toBe(set.length)
  }
})

describe('toolsets', () => {
  test('the default comes from the setting', () => {
    expect(viewOf({}, 'core').tools).toEqual(names({ toolsets: 'core' }))
    expect(viewOf({ toolsets: '' }, 'core').tools).toEqual(names({ toolsets: 'core' }))
  })

  test('every view but plain all and interface has the meta tools, after the first tool', () => {
    const metaOf = (toolsets: string) => names({ toolsets }).filter(name => metaTools.includes(name))
    expect([...complete].map(toolsets => [toolsets, metaOf(toolsets)])).toEqual([
      ['all', ['read_context']],
      ['interface', []],
    ])
    expect(names({ toolsets: 'interface', tools: 'get_card' })).toContain('find_operations')
    expect(names({ toolsets: 'all,meta' }).slice(0, 6)).toEqual(['get_my_permissions', ...metaTools])
    expect(names({ toolsets: 'core' })).toEqual(['get_my_permissions', ...metaTools, ...core.slice(1)])
    expect(names({ toolsets: 'meta' })).toEqual(metaTools)
  })

  test('a feature is a toolset', () => {
    expect(names({ toolsets: 'comments' }).toSorted()).toEqual(
      [...metaTools, ...Object.keys(features.comments)].toSorted(),
    )
  })
})

describe('tools', () => {
  test('are added to the toolsets', () => {
    expect(names({ toolsets: 'comments', tools: 'get_card' })).toContain('get_card')
  })

  test('alone are the whole list, with the meta tools', () => {
    expect(names({ tools: 'get_card, move_card' })).toEqual([...metaTools, 'get_card', 'move_card'])
  })

  test('are the only ones that run, in a view that names some (walls 9)', () => {
    const runs = (request: ViewRequest) => (name: string) => !viewOf(request, 'all').excluded.has(name)
    const view: ViewRequest = { tools: 'get_card' }
    expect(registry.map(({ name }) => name).filter(runs(view))).toEqual(['get_card'])
    expect(metaTools.every(runs(view))).toBe(true)
    expect(registry.every(({ name }) => runs({ toolsets: 'core' })(name))).toBe(true)
  })
})

describe('exclude', () => {
  test('always wins', () => {
    const view = viewOf({ tools: 'get_card', exclude: 'get_card,find_operations' }, 'all')
    expect(view.tools).not.toContain('get_card')
    expect(view.tools).not.toContain('find_operations')
    expect(view.excluded.has('get_card')).toBe(true)
  })
})

describe('readonly', () => {
  test('keeps only tools that read, and wins over tools', () => {
    const tools = names({ toolsets: 'core', tools: 'delete_card', readonly: '1' })
    expect(tools).toContain('get_card')
    expect(tools).toContain('find_operations')
    for (const name of ['create_card', 'delete_card', 'call_operation', 'run_operations'])
      expect(tools).not.toContain(name)
    expect(names({ readonly: 'true' })).toContain('validate_architecture')
  })
})

describe('unknown names', () => {
  test.each<[ViewRequest, RegExp]>([
    [{ toolsets: 'cor' }, /Unknown toolset 'cor'; did you mean 'core'\? Valid names: all, /],
    [{ tools: 'get_crd' }, /Unknown tool in tools 'get_crd'; did you mean 'get_card'\?/],
    [{ exclude: 'nothing_like_it_at_all' }, /Unknown tool in exclude 'nothing_like_it_at_all'\. Valid names/],
  ])('%j', (request, message) => {
    expect(() => viewOf(request, 'all')).toThrow(message)
  })
})

test('equal views have one key', () => {
  expect(viewOf({ toolsets: 'core' }, 'all').key).toBe(viewOf({ toolsets: 'core,meta' }, 'all').key)
  expect(viewOf({ toolsets: 'core' }, 'all').key).not.toBe(viewOf({ toolsets: 'core', boardId: 'b' }, 'all').key)
})

test('default toolsets can be checked before the start', () => {
  expect([isToolsets('core'), isToolsets('core, cards'), isToolsets('nope')]).toEqual([true, true, false])
})
