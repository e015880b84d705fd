import { type Attack, each } from '../attack.ts'
import { send, sendTool } from '../send.ts'

const named = (name: string): unknown => JSON.parse(`{"${name}":{"zz":1}}`)

const calls: Readonly<Record<string, readonly [tool: string, args: unknown]>> = {
  'a path of fields': ['get_my_permissions', { full: true, fields: 'flags.__proto__.zz' }],
  'a list of fields': ['get_my_permissions', { fields: ['constructor.prototype.zz'] }],
  'fields of a read': ['read_operation', { name: 'get_my_permissions', fields: 'flags.__proto__.zz' }],
  'arguments of a call': ['call_operation', { name: 'list_boards', arguments: named('__proto__') }],
  'arguments as a text': ['call_operation', { name: 'list_boards', arguments: '{"constructor":{"zz":1}}' }],
  'arguments of one of many': ['run_operations', { calls: [{ name: 'list_boards', arguments: named('__proto__') }] }],
  'fields of one of many': ['run_operations', { calls: [{ name: 'list_boards', fields: 'a.__proto__.zz' }] }],
  'an argument': ['list_boards', { constructor: { prototype: { zz: 1 } } }],
  'a flag': ['update_preset', { preset_id: 'x', flags: named('__proto__') }],
}

const bodies = {
  __proto__: '{"__proto__":{"zz":1}}',
  constructor: '{"constructor":{"prototype":{"zz":1}}}',
  'deep in free JSON': '{"title":"x","scope_assessment":{"a":{"__proto__":{"zz":1}}}}',
}

/** Names of prototypes wherever a caller chooses names (walls 2). */
export const prototypes: readonly Attack[] = [
  {
    name: 'prototypes in calls of tools',
    answers: { none: [400, 403, 422], viewer: [400, 403, 422] },
    variations: each(calls, ([tool, args], target, key) => sendTool(target, key, tool, args)),
    afterwards: async target => {
      const { status } = await sendTool(target, target.keys.none, 'get_my_permissions')
      return status === 200 ? undefined : `get_my_permissions answers ${status}`
    },
  },
  {
    name: 'prototypes in bodies',
    answers: { nobody: [401], none: [403, 422], editor: [422] },
    variations: each(bodies, (body, target, key) =>
      send(target, 'POST', `/api/v1/boards/${target.boardId}/ideations`, { key, body }),
    ),
  },
]
