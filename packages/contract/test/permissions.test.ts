import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  builtinAllows,
  builtinPresets,
  childrenOf,
  isPermission,
  isStateLimit,
  parentOf,
  permissionGroups,
  permissionNames,
  permissions,
  registry,
} from '../src/mod.ts'

const catalogue = readFileSync(new URL('fixtures/permissions.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map(line => line.split('\t'))

describe('the permission table', () => {
  test('has the 194 names of the contract with their parents and presets, in its order', () => {
    expect(permissions.map(({ name, parent, presets }) => [name, parent ?? '', presets])).toStrictEqual(catalogue)
    expect(permissionNames).toHaveLength(194)
    expect(new Set(permissionNames).size).toBe(194)
  })

  test.each([
    ['Full Control', 194],
    ['Spec', 135],
    ['Executor', 76],
    ['QA', 80],
    ['Validator', 71],
    ['Reporter', 59],
    ['Sprint Manager', 76],
  ])('%s holds %i of them', (name, count) => {
    const builtin = builtinPresets.find(preset => preset.name === name)!
    expect(permissionNames.filter(permission => builtinAllows(builtin, permission))).toHaveLength(count)
  })

  test('has seven built-in presets, by name', () => {
    const names = builtinPresets.map(preset => preset.name)
    expect(names).toStrictEqual(['Executor', 'Full Control', 'QA', 'Reporter', 'Spec', 'Sprint Manager', 'Validator'])
    expect(new Set(builtinPresets.map(preset => preset.id)).size).toBe(7)
  })

  test('has nine groups', () => {
    expect([...permissionGroups]).toStrictEqual([
      'IDEATIONS_MOVE',
      'REFINEMENTS_MOVE',
      'SPECS_LINK',
      'SPECS_MOVE',
      'SPRINTS_MOVE',
      'CARDS_LINK',
      'CARDS_MOVE',
      'QA_ANSWER',
      'KG_ADMIN',
    ])
  })

  test('names each parent once as a permission, and no grandchildren', () => {
    for (const { name, parent } of permissions) {
      expect(parentOf(name)).toBe(parent)
      if (parent === null) continue
      expect(childrenOf(parent)).toContain(name)
      expect(parentOf(parent)).toBeNull()
    }
  })

  test('shows a group in a built-in preset exactly when it shows one of its children', () => {
    for (const group of permissionGroups) {
      for (const builtin of builtinPresets) {
        const some = childrenOf(group).some(child => builtinAllows(builtin, child))
        expect([group, builtin.name, builtinAllows(builtin, group)]).toStrictEqual([group, builtin.name, some])
      }
    }
  })

  test('has a state limit for each status of the five resources, without a parent', () => {
    const limits = permissionNames.filter(isStateLimit)
    expect(limits).toHaveLength(6 + 5 + 7 + 5 + 7)
    expect(limits.every(limit => parentOf(limit) === null)).toBe(true)
  })

  test('knows no other name', () => {
    expect(['CARDS', 'cards_read', 'CARDS_MOVE_', '', 'toString', '__proto__'].some(isPermission)).toBe(false)
  })
})

test('every operation asks for a permission of the table, `-` or nothing', () => {
  const asked = registry.map(operation => operation.permission).filter(name => name !== '-' && name !== 'public')
  expect(asked.filter(name => !isPermission(name))).toStrictEqual([])
})
