import { childrenOf, type Permission, permissionGroups, permissionNames, widerThan } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFlags, anyName, detailOf } from '../../../test/any-flags.ts'
import type { Flags } from '../../schema/contents.ts'
import { Access, type BoardReach, reaches } from './access.ts'
import { completePreset, expand, resolveBase } from './base.ts'

const fullControl = resolveBase(null, null)
const noWay: BoardReach = { boardId: 'b1', owner: false, grant: false, share: null, overrides: null }

const anyWay: fc.Arbitrary<BoardReach> = fc
  .record({
    boardId: fc.constant('b1'),
    owner: fc.boolean(),
    grant: fc.boolean(),
    share: fc.constantFrom(null, 'viewer' as const, 'editor' as const, 'admin' as const),
    overrides: fc.option(anyFlags),
  })
  .filter(reaches)

const denied = (way: Partial<BoardReach>) => {
  const access = new Access(fullControl, { ...noWay, ...way })
  return permissionNames.filter(name => !access.allows(name))
}

describe('Full Control on a board', () => {
  test('is complete for its owner', () => {
    expect(denied({ owner: true })).toStrictEqual([])
  })

  test('is narrowed by a grant', () => {
    expect(denied({ grant: true })).toStrictEqual(['BOARDS_DELETE', 'BOARDS_SHARE', 'AGENTS_GRANT'])
  })

  test('is narrowed by an admin share', () => {
    expect(denied({ share: 'admin' })).toStrictEqual(['BOARDS_DELETE'])
  })

  test('is narrowed by an editor share', () => {
    expect(denied({ share: 'editor' })).toStrictEqual([
      'BOARDS_UPDATE',
      'BOARDS_DELETE',
      'BOARDS_SHARE',
      'BOARDS_IMPORT',
      'AGENTS_GRANT',
      'WEBHOOKS_READ',
      'WEBHOOKS_MANAGE',
      'REPOSITORIES_MANAGE',
      'CARDS_WAIVE',
      'KG_ADMIN',
      'KG_ADMIN_SETTINGS',
      'KG_ADMIN_BACKFILL',
      'KG_ADMIN_DELETE',
    ])
  })

  test('is narrowed to reads by a viewer share', () => {
    const access = new Access(fullControl, { ...noWay, share: 'viewer' })
    expect(permissionNames.filter(name => access.allows(name))).toStrictEqual([
      'BOARDS_READ',
      'BOARDS_EXPORT',
      'AGENTS_READ',
      'PRESETS_READ',
      'SETTINGS_READ',
      'AUDIT_READ',
      'PEOPLE_READ',
      'REPOSITORIES_READ',
      'CHANGES_READ',
      'REPORTS_READ',
      'IDEATIONS_READ',
      'IDEATIONS_READ_HISTORY',
      'REFINEMENTS_READ',
      'REFINEMENTS_READ_HISTORY',
      'SPECS_READ',
      'SPECS_READ_HISTORY',
      'SPECS_READ_VALIDATIONS',
      'SPRINTS_READ',
      'SPRINTS_READ_HISTORY',
      'SPRINTS_READ_EVALUATIONS',
      'CARDS_READ',
      'CARDS_READ_ACTIVITY',
      'CARDS_READ_CONCLUSIONS',
      'CARDS_READ_VALIDATIONS',
      'COMMENTS_READ',
      'QA_READ',
      'KNOWLEDGE_READ',
      'ATTACHMENTS_READ',
      'ARCHITECTURE_READ',
      'GUIDELINES_READ',
      'ANALYTICS_READ',
      'ANALYTICS_EXPORT',
      'DISCOVERY_READ',
      'DISCOVERY_EXECUTE',
      'LINEAGE_READ',
      'KG_READ',
      'KG_QUERY',
      'KG_AUDIT',
    ])
  })

  test('is the union of several ways', () => {
    expect(denied({ grant: true, share: 'admin' })).toStrictEqual(['BOARDS_DELETE'])
    expect(denied({ grant: true, share: 'viewer' })).toStrictEqual(['BOARDS_DELETE', 'BOARDS_SHARE', 'AGENTS_GRANT'])
  })
})

describe('allowed = base AND path AND NOT overridden', () => {
  const anyBase = fc
    .tuple(anyFlags, fc.option(anyFlags))
    .map(([preset, own]) => resolveBase(completePreset(preset), own))

  test('holds for every name, and for a group when one of its children is allowed', () => {
    fc.assert(
      fc.property(anyBase, anyWay, (base, way) => {
        const access = new Access(base, way)
        const path = new Access(fullControl, { ...way, overrides: null })
        const overrides: Flags = expand(way.overrides ?? {})
        for (const name of permissionNames) {
          const expected = permissionGroups.has(name)
            ? childrenOf(name).some(child => access.allows(child))
            : base.allowed.has(name) && path.allows(name) && overrides[name] !== false
          const wider = widerThan(name)
          expect(access.allows(name)).toBe(expected || (wider !== null && access.allows(wider)))
        }
      }),
    )
  })

  test('means that overrides never widen access, even for the owner', () => {
    fc.assert(
      fc.property(anyBase, anyWay, (base, way) => {
        const free = new Access(base, { ...way, overrides: null })
        const restricted = new Access(base, way)
        for (const name of permissionNames) if (restricted.allows(name)) expect(free.allows(name)).toBe(true)
      }),
    )
  })

  test('gives flags that agree with every check', () => {
    fc.assert(
      fc.property(anyBase, anyWay, (base, way) => {
        const access = new Access(base, way)
        const flags = access.flags()
        expect(Object.keys(flags)).toStrictEqual([...permissionNames])
        for (const name of permissionNames) expect(flags[name]).toBe(access.allows(name))
      }),
    )
  })

  test('is the base alone where no board is concerned', () => {
    fc.assert(
      fc.property(anyBase, base => {
        const access = new Access(base, null)
        for (const name of permissionNames) expect(access.allows(name)).toBe(base.allowed.has(name))
      }),
    )
  })
})

describe('a refusal', () => {
  const refusal = (base = fullControl, way: BoardReach | null, ...names: Permission[]) =>
    detailOf(() => new Access(base, way).require(names))
  const preset = (flags: Flags, own: Flags | null = null) => resolveBase(completePreset(flags), own)

  test.each<[string, ReturnType<typeof preset>, BoardReach | null]>([
    ['preset', preset({}), { ...noWay, owner: true }],
    ['preset', preset({}, { BOARDS_SHARE: false }), { ...noWay, owner: true }],
    ['agent', preset({ BOARDS_SHARE: true }, { BOARDS_SHARE: false }), { ...noWay, owner: true }],
    ['share', fullControl, { ...noWay, share: 'editor' }],
    ['grant', fullControl, { ...noWay, grant: true }],
    ['override', fullControl, { ...noWay, owner: true, overrides: { BOARDS_SHARE: false } }],
    ['override', fullControl, { ...noWay, share: 'admin', grant: true, overrides: { BOARDS_SHARE: false } }],
    ['grant', fullControl, { ...noWay, grant: true, overrides: { BOARDS_SHARE: false } }],
  ])('names the first layer that denies: %s', (denied_by, base, way) => {
    expect(refusal(base, way, 'BOARDS_SHARE')).toMatchObject({
      error: 'FORBIDDEN',
      permission: 'BOARDS_SHARE',
      missing: ['BOARDS_SHARE'],
      denied_by,
      board_id: 'b1',
    })
  })

  test('lists every missing name, sorted, and names the first in the order of the checks', () => {
    const base = preset({ SPECS_UPDATE: true, SPECS_LABEL: false, SPECS_ASSIGN: false })
    expect(refusal(base, null, 'SPECS_LABEL', 'SPECS_UPDATE', 'SPECS_ASSIGN')).toMatchObject({
      permission: 'SPECS_LABEL',
      missing: ['SPECS_ASSIGN', 'SPECS_LABEL'],
      board_id: null,
    })
  })

  test('mentions the permission and the layer', () => {
    expect(refusal(preset({}), null, 'BOARDS_CREATE')).toMatchObject({
      message: expect.stringMatching(/BOARDS_CREATE.*preset/),
    })
  })

  test('happens exactly when a name is missing', () => {
    fc.assert(
      fc.property(anyFlags, anyWay, fc.uniqueArray(anyName, { minLength: 1, maxLength: 5 }), (flags, way, names) => {
        const access = new Access(preset(flags), way)
        const missing = names.filter(name => !access.allows(name)).sort()
        if (missing.length === 0) access.require(names)
        else expect(detailOf(() => access.require(names))).toMatchObject({ error: 'FORBIDDEN', missing })
      }),
    )
  })
})

test('an operation is usable when its permission or one of its children holds', () => {
  const access = new Access(resolveBase(completePreset({ SPECS_UPDATE_SCENARIOS: true }), null), null)
  expect(access.allows('SPECS_UPDATE')).toBe(false)
  expect(access.allowsAny('SPECS_UPDATE')).toBe(true)
  expect(access.allowsAny('SPECS_CREATE')).toBe(false)
})
