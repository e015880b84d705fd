import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  builtinAllows,
  builtinPresets,
  CardStatus,
  childrenOf,
  guardedBy,
  guardsOf,
  IdeationStatus,
  isPermission,
  isStateLimit,
  type LimitedResource,
  parentOf,
  permissionGroups,
  permissionNames,
  permissions,
  RefinementStatus,
  registry,
  SpecStatus,
  SprintStatus,
} from '../src/mod.ts'

/** The permissions of the interface (access 2.5): name, parent, presets. There may be more in between. */
const catalogue = readFileSync(new URL('fixtures/permissions.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map(line => line.split('\t'))

describe('the permission table', () => {
  test('has the names of the interface with their parents and presets, in its order', () => {
    const names = new Set(catalogue.map(([name]) => name))
    const found = permissions.filter(({ name }) => names.has(name))
    expect(found.map(({ name, parent, presets }) => [name, parent ?? '', presets])).toStrictEqual(catalogue)
  })

  test('has no name twice', () => {
    expect(new Set(permissionNames).size).toBe(permissionNames.length)
  })

  test('holds for Full Control whatever it says of the other presets', () => {
    const full = builtinPresets.find(preset => preset.name === 'Full Control')!
    expect(permissionNames.filter(name => !builtinAllows(full, name))).toEqual([])
    for (const { name, presets } of permissions)
      for (const builtin of builtinPresets)
        if (builtin.letter?.length === 1) expect(builtinAllows(builtin, name)).toBe(presets.includes(builtin.letter))
  })

  test('gives Solo what any role holds, without the rights of a manager (crew 7)', () => {
    const solo = builtinPresets.find(preset => preset.name === 'Solo')!
    const granted = permissionNames.filter(name => builtinAllows(solo, name))
    expect(granted).toEqual(
      expect.arrayContaining([...permissionNames.filter(isStateLimit), 'CARDS_DELETE', 'QA_DELETE']),
    )
    const roles = permissions.filter(({ presets }) => /[A-Z]/.test(presets)).map(({ name }) => name)
    expect(roles.filter(name => !granted.includes(name))).toEqual([
      'IDEATIONS_DELETE',
      'SPECS_DELETE',
      'KG_ADMIN',
      'KG_ADMIN_SETTINGS',
      'KG_ADMIN_BACKFILL',
    ])
    const beside = granted.filter(name => !roles.includes(name) && !isStateLimit(name))
    expect(beside).toEqual(['CARDS_DELETE', 'QA_DELETE', 'GUIDELINES_CREATE', 'GUIDELINES_LINK'])
  })

  test('has the built-in presets of the interface and Solo, by name', () => {
    const names = builtinPresets.map(preset => preset.name)
    expect(names).toStrictEqual([
      'Executor',
      'Full Control',
      'QA',
      'Reporter',
      'Solo',
      'Spec',
      'Sprint Manager',
      'Validator',
    ])
    expect(new Set(builtinPresets.map(preset => preset.id)).size).toBe(builtinPresets.length)
  })

  test('calls a group each parent that no operation asks for', () => {
    const guardNames = new Set(registry.flatMap(guardsOf).map(({ permission }) => permission))
    const parents = new Set(permissions.flatMap(({ parent }) => parent ?? []))
    expect([...permissionGroups]).toStrictEqual(
      permissionNames.filter(name => parents.has(name) && !guardNames.has(name)),
    )
  })

  test('has nothing that guards nothing', () => {
    const idle = permissions.filter(
      ({ name, group, note }) =>
        !group && !isStateLimit(name) && note === null && guardedBy(name, registry).length === 0,
    )
    expect(idle.map(({ name }) => name)).toEqual([])
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
    const statuses = {
      IDEATIONS: IdeationStatus,
      REFINEMENTS: RefinementStatus,
      SPECS: SpecStatus,
      SPRINTS: SprintStatus,
      CARDS: CardStatus,
    } satisfies Record<LimitedResource, unknown>
    const limits = Object.entries(statuses).flatMap(([resource, { options }]) =>
      options.map(status => `${resource}_WRITE_IN_${status.toUpperCase()}`),
    )
    expect(permissionNames.filter(isStateLimit)).toStrictEqual(limits)
    expect(permissionNames.filter(isStateLimit).every(limit => parentOf(limit) === null)).toBe(true)
  })

  test('knows no other name', () => {
    expect(['CARDS', 'cards_read', 'CARDS_MOVE_', '', 'toString', '__proto__'].some(isPermission)).toBe(false)
  })
})

test('every operation asks for a permission of the table, `-` or nothing', () => {
  const names = registry.map(operation => operation.permission).filter(name => name !== '-' && name !== 'public')
  expect(names.filter(name => !isPermission(name))).toStrictEqual([])
})
