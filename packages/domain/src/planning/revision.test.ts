import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ideationStates } from './ideations/rules.ts'
import { lockedRefusal, revise, unfinishedRefusal, versionAfterMove } from './revision.ts'

const before = { title: 'A', description: 'x' as string | null, labels: null as string[] | null, version: 3 }
const stored = { ...before, rev: 5, updated_at: 'then' }
const content = ['description'] as const
type Wanted = Parameters<typeof revise<typeof stored>>[1]

describe('a revision', () => {
  test.each<[Wanted, number, string[]]>([
    [{ description: 'y' }, 4, ['description']],
    [{ description: null }, 4, ['description']],
    [{ description: 'y', labels: ['a'], title: 'B' }, 4, ['title', 'description', 'labels']],
    [{ labels: ['a'] }, 3, ['labels']],
    [{ title: 'B' }, 3, ['title']],
    [{ title: null, labels: ['a'] }, 3, ['labels']],
  ])('with %j has version %i and changes %j', (update, version, fields) => {
    const revision = revise(stored, update, content, 'now')
    expect(revision?.after).toMatchObject({ version, rev: 6, updated_at: 'now', title: update.title ?? 'A' })
    expect(revision?.changes.map(change => change.field)).toEqual(fields)
  })

  test.each([{}, { title: null }, { title: 'A', description: 'x', labels: null }])('with %j is null', update => {
    expect(revise(stored, update, content, 'now')).toBeNull()
  })

  test('raises the version by at most one', () => {
    const text = fc.option(fc.string(), { nil: null })
    fc.assert(
      fc.property(text, fc.option(fc.array(fc.string()), { nil: null }), (description, labels) => {
        const revision = revise(stored, { description, labels }, content, 'now')
        expect(revision?.after.version ?? 3).toBe(description === 'x' ? 3 : 4)
      }),
    )
  })
})

test('an edit outside draft is refused with the allowed moves', () => {
  expect(lockedRefusal(ideationStates, 'IDEATION_LOCKED', 'draft')).toBeNull()
  expect(lockedRefusal(ideationStates, 'IDEATION_LOCKED', 'done')).toMatchObject({
    code: 'IDEATION_LOCKED',
    extra: { status: 'done', allowed: ['draft'] },
  })
  expect(lockedRefusal(ideationStates, 'IDEATION_LOCKED', 'cancelled')).toMatchObject({
    extra: { status: 'cancelled', allowed: [] },
  })
})

test('a record that is not done cannot be derived from', () => {
  expect(unfinishedRefusal('ideation', 'IDEATION_NOT_DONE', 'done')).toBeNull()
  expect(unfinishedRefusal('ideation', 'IDEATION_NOT_DONE', 'review')).toMatchObject({
    code: 'IDEATION_NOT_DONE',
    extra: { status: 'review' },
  })
})

test.each([
  ['done', 'draft', 2],
  ['review', 'draft', 1],
  ['approved', 'done', 1],
])('a move from %s to %s at version 1 gives version %i', (from, to, version) => {
  expect(versionAfterMove(1, from, to)).toBe(version)
})
