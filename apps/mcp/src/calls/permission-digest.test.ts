import { permissionNames } from '@specboard/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { permissionDigest } from './permission-digest.ts'

const flagsOf = (names: readonly string[]) =>
  Object.fromEntries(permissionNames.map(name => [name, names.includes(name)]))
const rights = (names: readonly string[]) => ({
  agent_id: 'a',
  agent_name: 'A',
  preset_name: 'P',
  flags: flagsOf(names),
})

test('groups what is held by resource: whole resources, what is held, or what is not', () => {
  const names = permissionNames.filter(
    name => name.startsWith('COMMENTS_') || name === 'KG_READ' || (name.startsWith('QA_') && name !== 'QA_DELETE'),
  )
  expect(permissionDigest(rights(names), [], 0)).toMatchObject({
    agent_id: 'a',
    preset_name: 'P',
    permissions: { all: 'COMMENTS', KG: 'READ', QA: 'all but DELETE' },
    boards_seen: 0,
  })
})

test('names the boards where something is lacking', () => {
  const board = { id: 'b', key: 'BRD', name: 'Board', access: 'share', share_permission: 'viewer' } as const
  const boards = [
    { ...board, lacks: ['CARDS_CREATE'] as const },
    { ...board, id: 'own', access: 'owner', share_permission: null, lacks: [] } as const,
  ]
  expect(permissionDigest(rights([]), boards, 2)).toMatchObject({
    boards_seen: 2,
    cards_held: 2,
    boards: [{ key: 'BRD', name: 'Board', access: 'share (viewer)', lacks: 'CARDS_CREATE' }],
  })
})

test('has at most 1,200 characters, whoever asks', () => {
  const long = fc.string({ minLength: 0, maxLength: 255 })
  const boards = fc.array(
    fc.record({
      id: fc.uuid(),
      key: fc.constant('ABCDEFGHIJ'),
      name: long,
      access: fc.constantFrom<'grant' | 'share'>('grant', 'share'),
      share_permission: fc.constantFrom<'viewer' | null>(null, 'viewer'),
      lacks: fc.subarray([...permissionNames]),
    }),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(fc.subarray([...permissionNames]), long, boards, (names, name, visible) => {
      const digest = permissionDigest({ ...rights(names), agent_name: name, preset_name: name }, visible, 10_000)
      expect(JSON.stringify(digest).length).toBeLessThanOrEqual(1_200)
    }),
  )
})
