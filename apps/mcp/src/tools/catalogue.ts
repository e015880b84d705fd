import { operationByName } from '@specboard/contract'
import type { Caller } from '@specboard/domain'
import { definitionsOf, type ToolDefinition } from './definitions.ts'
import { mayUse } from './may-use.ts'
import type { View } from './view.ts'

type Lists = Map<string, readonly ToolDefinition[]>

/** Tool lists by the permissions of a key (equal presets and flags share one object) and by view. */
const lists = new WeakMap<Caller['base'], Lists>()

/** The maximum lists cached for one set of permissions. */
const keptViews = 50

/** The tools that a key may use through a view, built once for equal permissions and views (mcp 5.3, 6.6). */
export function toolsFor(caller: Caller, view: View): readonly ToolDefinition[] {
  const byView: Lists = lists.get(caller.base) ?? new Map()
  lists.set(caller.base, byView)
  const cached = byView.get(view.key)
  if (cached !== undefined) return cached
  const names = view.tools.filter(name => {
    const operation = operationByName.get(name)
    return operation === undefined || mayUse(caller, operation)
  })
  const definitions = Object.freeze(definitionsOf(names, view))
  if (byView.size >= keptViews) byView.clear()
  byView.set(view.key, definitions)
  return definitions
}
