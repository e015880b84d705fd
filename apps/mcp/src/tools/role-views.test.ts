import {
  builtinAllows,
  builtinPresets,
  guardsOf,
  operationByName,
  type Permission,
  permissions,
} from '@specboard/contract'
import { expect, test } from 'vitest'
import { guides } from '../guides.ts'
import { metaTools, roleGuides, toolsets } from './toolsets.ts'
import { viewOf } from './view.ts'

/** The built-in preset of each role. */
const presetOf: Readonly<Record<keyof typeof roleGuides, string>> = {
  planner: 'Spec',
  executor: 'Executor',
  validator: 'Validator',
  tester: 'QA',
  manager: 'Sprint Manager',
}

const roles = Object.keys(roleGuides) as (keyof typeof roleGuides)[]

/** Whether a preset holds a permission, or one of its children. */
function holds(presetName: string, permission: Permission): boolean {
  const preset = builtinPresets.find(({ name }) => name === presetName)!
  return permissions.some(
    ({ name, parent }) => (name === permission || parent === permission) && builtinAllows(preset, name),
  )
}

test.each(roles)('the guide of a %s tells it nothing that its preset may not do', role => {
  const denied = toolsets[role]!.filter(name => {
    const guards = guardsOf(operationByName.get(name)!)
    return guards.length > 0 && !guards.some(({ permission }) => holds(presetOf[role], permission))
  })
  expect(denied).toEqual([])
})

test.each(roles)('the view of a %s holds what its guide names, and the meta tools', role => {
  const named = [...guides[roleGuides[role]]!.text.matchAll(/`([a-z_]+)`/g)]
    .map(([, name]) => name!)
    .filter(name => operationByName.has(name))
  expect(new Set(viewOf({ toolsets: role }, 'all').tools)).toEqual(new Set([...metaTools, ...named]))
})
