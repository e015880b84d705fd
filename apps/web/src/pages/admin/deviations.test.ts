import { expect, test } from 'vitest'
import type { PermissionNode } from '../../data/access.ts'
import { deviationsFrom, withDeviations } from './deviations.ts'

const node = (name: string, isGroup = false, children: readonly string[] = []): PermissionNode => ({
  name,
  isGroup,
  children: children.map(child => node(child)),
})

const nodes = [node('READ'), node('UPDATE', false, ['UPDATE_RULES']), node('MOVE', true, ['MOVE_DONE', 'MOVE_BACK'])]

const all = { READ: true, UPDATE: true, UPDATE_RULES: true, MOVE: true, MOVE_DONE: true, MOVE_BACK: true }

test('an agent that does what its preset says has no flags of its own', () => {
  expect(deviationsFrom(all, withDeviations(all, {}, nodes), nodes)).toBeNull()
})

test('one that is named stands for what is below it, unless that is named too', () => {
  expect(withDeviations(all, { UPDATE: false }, nodes)).toEqual({ ...all, UPDATE: false, UPDATE_RULES: false })
  expect(withDeviations(all, { UPDATE: false, UPDATE_RULES: true }, nodes)).toEqual({ ...all, UPDATE: false })
})

test('a group is held as long as one of it is', () => {
  expect(withDeviations(all, { MOVE_DONE: false }, nodes)).toEqual({ ...all, MOVE_DONE: false })
  const none = { MOVE: false, MOVE_DONE: false, MOVE_BACK: false }
  expect(withDeviations(all, { MOVE: false }, nodes)).toEqual({ ...all, ...none })
})

test.each([
  [{ UPDATE: false }, { UPDATE: false, UPDATE_RULES: true }],
  [{ UPDATE_RULES: false }, { UPDATE_RULES: false }],
  [{ MOVE_DONE: false }, { MOVE_DONE: false }],
  [
    { MOVE: false, MOVE_DONE: false, MOVE_BACK: false },
    { MOVE_DONE: false, MOVE_BACK: false },
  ],
])('what is written gives back what was chosen: %o', (change, own) => {
  const chosen = { ...all, ...change }
  expect(deviationsFrom(all, chosen, nodes)).toEqual(own)
  expect(withDeviations(all, own, nodes)).toEqual(chosen)
})
