import {
  builtinPresets,
  childrenOf,
  isStateLimit,
  type Permission,
  parentOf,
  permissionGroups,
  permissionNames,
  widerThan,
} from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFlags, anyName, detailOf } from '../../../test/any-flags.ts'
import type { Flags } from '../../schema/contents.ts'
import {
  builtinFlags,
  checkedFlags,
  completePreset,
  expand,
  lacking,
  namedPermission,
  refuseEscalation,
  resolveBase,
} from './base.ts'

const leaves = permissionNames.filter(name => !permissionGroups.has(name))

describe('expansion', () => {
  test.each<[string, Flags, Flags]>([
    [
      'a parent gives its value to children that are not named',
      { CARDS_MOVE: true, CARDS_MOVE_DONE: false },
      { CARDS_MOVE_VALIDATION: true, CARDS_MOVE_DONE: false },
    ],
    [
      'a denied parent denies its fields',
      { SPECS_UPDATE: false },
      { SPECS_ASSIGN: false, SPECS_UPDATE_SCENARIOS: false },
    ],
    ['a child does not change its parent', { SPECS_ASSIGN: true }, { SPECS_ASSIGN: true }],
  ])('%s', (_, flags, expected) => {
    expect(expand(flags)).toMatchObject(expected)
  })

  test('keeps what is named, gives a child its parent’s value, adds nothing else', () => {
    fc.assert(
      fc.property(anyFlags, flags => {
        const expanded = expand(flags)
        for (const name of permissionNames) {
          const parent = parentOf(name)
          const wider = widerThan(name)
          const fromWider = wider !== null && flags[wider] === false ? false : undefined
          const expected = flags[name] ?? fromWider ?? (parent === null ? undefined : flags[parent])
          expect(expanded[name]).toBe(expected)
        }
      }),
    )
  })

  test('goes one level deep: expanding twice changes nothing', () => {
    fc.assert(
      fc.property(anyFlags, flags => {
        expect(expand(expand(flags))).toStrictEqual(expand(flags))
      }),
    )
  })
})

describe('the base of an agent', () => {
  test('is Full Control without a preset and flags', () => {
    expect(resolveBase(null, null).allowed).toStrictEqual(new Set(permissionNames))
  })

  test('is what the preset allows when the agent has no flags', () => {
    for (const builtin of builtinPresets) {
      const flags = builtinFlags(builtin)
      expect(resolveBase(flags, null).allowed).toStrictEqual(new Set(permissionNames.filter(name => flags[name])))
    }
  })

  test('is the preset’s value, replaced by the agent’s expanded flags; groups are derived from their children', () => {
    fc.assert(
      fc.property(anyFlags, fc.option(anyFlags), (presetFlags, agentFlags) => {
        const preset = completePreset(presetFlags)
        const own = expand(agentFlags ?? {})
        const { allowed } = resolveBase(preset, agentFlags)
        const has = (name: Permission) => own[name] ?? preset[name]
        for (const name of leaves) {
          const wider = widerThan(name)
          expect(allowed.has(name)).toBe(has(name) || (wider !== null && has(wider)))
        }
        for (const group of permissionGroups) {
          expect(allowed.has(group)).toBe(childrenOf(group).some(child => allowed.has(child)))
        }
      }),
    )
  })

  test('names the first layer that denies: the preset, otherwise the agent’s flags', () => {
    fc.assert(
      fc.property(anyFlags, anyFlags, (presetFlags, agentFlags) => {
        const preset = completePreset(presetFlags)
        const base = resolveBase(preset, agentFlags)
        for (const name of leaves.filter(candidate => !base.allowed.has(candidate))) {
          expect(base.deniedBy(name)).toBe(preset[name] ? 'agent' : 'preset')
        }
      }),
    )
  })
})

describe('the complete map of a custom preset', () => {
  test('has all names: omitted ones are denied, except the state limits', () => {
    const empty = completePreset({})
    expect(Object.keys(empty)).toStrictEqual([...permissionNames])
    expect(permissionNames.filter(name => empty[name])).toStrictEqual(permissionNames.filter(isStateLimit))
  })

  test('gives a child its parent’s value, and completing it again changes nothing', () => {
    fc.assert(
      fc.property(anyFlags, flags => {
        const map = completePreset(flags)
        for (const name of leaves.filter(candidate => !isStateLimit(candidate))) {
          const parent = parentOf(name)
          const wider = widerThan(name)
          const fromWider = wider !== null && flags[wider] === false ? false : undefined
          expect(map[name]).toBe(flags[name] ?? fromWider ?? (parent === null ? undefined : flags[parent]) ?? false)
        }
        expect(completePreset(map)).toStrictEqual(map)
      }),
    )
  })
})

test('unknown names are refused, sorted', () => {
  const detail = detailOf(() => checkedFlags('flags', { ZEBRA: true, CARDS_READ: true, APE: false }))
  expect(detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'flags', unknown: ['APE', 'ZEBRA'] })
})

describe('escalation', () => {
  const baseOf = (flags: Flags) => resolveBase(completePreset(flags), null)

  test('is every name that is wanted but not held, including state limits, without groups, sorted', () => {
    fc.assert(
      fc.property(anyFlags, anyFlags, (wantedFlags, heldFlags) => {
        const requested = baseOf(wantedFlags).allowed
        const { allowed } = baseOf(heldFlags)
        const expected = leaves.filter(name => requested.has(name) && !allowed.has(name)).sort()
        expect(lacking(requested, allowed)).toStrictEqual(expected)
      }),
    )
  })

  test('does not happen with held permissions, and Full Control can give everything', () => {
    fc.assert(
      fc.property(anyFlags, flags => {
        const base = baseOf(flags)
        refuseEscalation(base.allowed, base)
        refuseEscalation(base.allowed, resolveBase(null, null))
      }),
    )
  })

  test('is refused with the first name, all names and the layer', () => {
    const giver = resolveBase(completePreset({ CARDS_READ: true }), { CARDS_READ_ACTIVITY: false })
    const requested = baseOf({ SPECS_READ: true, CARDS_READ: true }).allowed
    expect(detailOf(() => refuseEscalation(requested, giver))).toMatchObject({
      error: 'FORBIDDEN',
      permission: 'CARDS_READ_ACTIVITY',
      missing: ['CARDS_READ_ACTIVITY', 'SPECS_READ', 'SPECS_READ_HISTORY', 'SPECS_READ_VALIDATIONS'],
      denied_by: 'agent',
      board_id: null,
    })
  })
})

describe('the permission that a refusal names', () => {
  const namedFor = (first: Permission, flags: Flags) => namedPermission(first, name => completePreset(flags)[name])

  test.each<[string, Permission, Flags, Permission]>([
    [
      'the child, when the agent can do other moves',
      'CARDS_MOVE_DONE',
      { CARDS_MOVE_STARTED: true },
      'CARDS_MOVE_DONE',
    ],
    ['the parent, when the agent can move no card at all', 'CARDS_MOVE_DONE', {}, 'CARDS_MOVE'],
    ['the parent, when the agent can change nothing', 'SPECS_LABEL', {}, 'SPECS_UPDATE'],
    ['the child, when the parent is allowed', 'SPECS_LABEL', { SPECS_UPDATE: true, SPECS_LABEL: false }, 'SPECS_LABEL'],
    ['the parent itself', 'SPECS_UPDATE', { SPECS_LABEL: true }, 'SPECS_UPDATE'],
    ['a name without a parent', 'BOARDS_CREATE', {}, 'BOARDS_CREATE'],
  ])('is %s', (_, first, flags, expected) => {
    expect(namedFor(first, flags)).toBe(expected)
  })

  test('is the missing one, or its parent when the parent and all of its children are missing', () => {
    fc.assert(
      fc.property(anyName, anyFlags, (first, flags) => {
        const map = { ...completePreset(flags), [first]: false }
        const parent = parentOf(first)
        const allMissing = parent !== null && !map[parent] && childrenOf(parent).every(child => !map[child])
        expect(namedPermission(first, name => map[name])).toBe(allMissing ? parent : first)
      }),
    )
  })
})
