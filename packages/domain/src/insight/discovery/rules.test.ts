import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invalid } from '../../kernel/errors.ts'
import { subjectOf } from './activity.ts'
import { blockersOf, type SprintCard } from './blockers.ts'
import { orWarning } from './graph.ts'
import { findIntent, intentOf, intents } from './intents.ts'
import { paramsFor } from './params.ts'
import { criteriaOf, requirementsOf, uncovered } from './references.ts'
import { gapsOf } from './requirements.ts'
import type { DiscoverySpec } from './specs.ts'
import { chainsOf } from './supersedence.ts'

describe('an entry of linked_requirements refers to', () => {
  const texts = ['Log in', 'Log in with a key', 'Export 2 files', '7']
  test.each([
    ['the requirement with that number, as text', '1', 1],
    ['a number', 2, 2],
    ['a text, when the number is out of range', '7', 3],
    ['the first that contains the entry', 'with a key', 1],
    ['the first that is contained in the entry', 'Log in with a key and more', 0],
    ['case counts', 'log in', undefined],
    ['a fraction', 1.5, undefined],
    ['nothing', '', undefined],
  ])('%s', (_, entry, index) => expect(requirementsOf(texts)(entry)).toBe(index))
})

describe('an entry of linked_criteria refers to', () => {
  const texts = ['A user sees it', 'A user sees', 'Saved']
  test.each([
    ['a number', '2', 2],
    ['the equal one, or the first that begins with it', 'A user sees', 0],
    ['the first that is its beginning', 'Saved at once', 2],
    ['not the middle', 'user', undefined],
  ])('%s', (_, entry, index) => expect(criteriaOf(texts)(entry)).toBe(index))

  test('texts that no entry refers to are uncovered', () =>
    expect(uncovered(['a', 'b', 'c'], ['0', 'c', 'x'], requirementsOf)).toEqual([1]))
})

const spec = (fields: object): DiscoverySpec => ({
  id: 's',
  title: 'Spec',
  status: 'draft',
  functional_requirements: [],
  technical_requirements: [],
  acceptance_criteria: [],
  test_scenarios: [],
  business_rules: [],
  decisions: [],
  skip_test_coverage: false,
  skip_rules_coverage: false,
  skip_trs_coverage: false,
  ...fields,
})

test('the gaps of a spec are grouped by kind, in stored order', () => {
  const subject = spec({
    functional_requirements: ['f0', 'f1'],
    acceptance_criteria: ['a0', 'a1'],
    technical_requirements: [
      'plain',
      { id: 't1', text: 'T1', linked_task_ids: ['counts'] },
      { id: 't2', text: 'T2', linked_task_ids: ['cancelled'] },
      { id: '', text: 'T3', linked_task_ids: null },
    ],
    business_rules: [{ linked_requirements: ['1'] }, { linked_requirements: null }],
    test_scenarios: [{ linked_criteria: ['a0'] }],
  })
  expect(gapsOf(subject, new Set(['counts'])).map(({ kind, index, id, text }) => [kind, index, id, text])).toEqual([
    ['functional_requirement', 0, 's:fr:0', 'f0'],
    ['acceptance_criterion', 1, 's:ac:1', 'a1'],
    ['technical_requirement', 2, 't2', 'T2'],
    ['technical_requirement', 3, 's:tr:3', 'T3'],
  ])
})

describe('chains of decisions', () => {
  const decisions = (links: Readonly<Record<string, string | null>>) =>
    Object.entries(links).map(([id, supersedes_decision_id]) => ({ id, title: id, supersedes_decision_id }))
  const chains = (links: Readonly<Record<string, string | null>>) =>
    chainsOf(decisions(links)).map(chain => chain.map(({ id }) => id).join('>'))

  test.each([
    ['none', {}, []],
    ['alone', { a: null, b: null }, []],
    ['one chain', { a: null, b: 'a', c: 'b' }, ['c>b>a']],
    ['two heads with one tail', { a: null, b: 'a', c: 'a' }, ['b>a', 'c>a']],
    ['an unknown link', { a: 'gone', b: 'a' }, ['b>a']],
    ['a pure cycle starts at its smallest id', { c: 'a', b: 'c', a: 'b' }, ['a>b>c']],
    ['a repeated id ends the chain', { a: 'b', b: 'a', h: 'a' }, ['h>a>b']],
    ['itself', { a: 'a' }, []],
  ])('%s', (_, links, expected) => expect(chains(links)).toEqual(expected))

  test('every linked decision is in a chain, and no chain has an id twice', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    const links = fc.record(Object.fromEntries(ids.map(id => [id, fc.constantFrom(...ids, 'gone', null)])))
    fc.assert(
      fc.property(links, successors => {
        const found = chainsOf(decisions(successors))
        for (const chain of found) {
          expect(chain.length).toBeGreaterThan(1)
          expect(new Set(chain).size).toBe(chain.length)
        }
        const linked = ids.filter(id =>
          ids.some(other => other !== id && (successors[id] === other || successors[other] === id)),
        )
        expect([...new Set(found.flat().map(({ id }) => id))].sort()).toEqual(linked)
      }),
    )
  })
})

describe('a card is held up by', () => {
  const now = '2026-01-10T00:00:00.000Z'
  const card = (fields: Partial<SprintCard>): SprintCard => ({
    id: 'c',
    title: 'Card',
    status: 'started',
    updated_at: now,
    sprint_id: 'sp',
    sprint_title: 'Sprint',
    blocking_cards: [],
    ...fields,
  })
  const other = { id: 'o', title: 'Other', status: 'started' }
  const longAgo = '2026-01-06T23:59:59.000Z'

  test.each([
    ['nothing', {}, []],
    ['an open dependency', { blocking_cards: [other] }, ['blocked_card']],
    ['nothing once it is done', { blocking_cards: [other], status: 'done' }, []],
    ['being on hold, however long', { status: 'on_hold', updated_at: longAgo }, ['on_hold_card']],
    ['nothing after 72 hours without a change', { updated_at: '2026-01-07T00:00:00.000Z' }, []],
    ['staleness a second later', { updated_at: longAgo }, ['stale_card']],
    ['nothing before it is started', { updated_at: longAgo, status: 'not_started' }, []],
    ['two things', { updated_at: longAgo, blocking_cards: [other] }, ['blocked_card', 'stale_card']],
    ['two others', { status: 'on_hold', blocking_cards: [other] }, ['blocked_card', 'on_hold_card']],
  ])('%s', (_, fields, types) => expect(blockersOf(card(fields), now).map(row => row.type)).toEqual(types))

  test('staleness, shown with its age', () =>
    expect(blockersOf(card({ updated_at: '2026-01-06T20:10:00.000Z' }), now)[0]?.meta).toEqual({
      entity_type: 'card',
      entity_id: 'c',
      entity_title: 'Card',
      card_id: 'c',
      card_status: 'started',
      sprint_id: 'sp',
      sprint_title: 'Sprint',
      last_updated: '2026-01-06T20:10:00.000Z',
      age_hours: 75.8,
      stale_hours_threshold: 72,
    }))
})

describe('the record of an activity entry', () => {
  test.each([
    ['its card first', 'c', { sprint_id: 's' }, 'c'],
    ['then the sprint', null, { spec_id: 'p', sprint_id: 's' }, 's'],
    ['the refinement before the spec', null, { spec_id: 'p', refinement_id: 'r' }, 'r'],
    ['the parent of a design', null, { parent_id: 'x', entity_id: 'y' }, 'x'],
    ['what was archived', null, { entity_id: 'y', spec_id: null }, 'y'],
    ['the board alone', null, { name: 'n' }, null],
    ['no details', null, null, null],
  ])('%s', (_, cardId, details, id) => expect(subjectOf(cardId, details)).toBe(id))
})

describe('parameters', () => {
  const intent = {
    name: 'asked',
    params: [
      { name: 'a', label: 'A' },
      { name: 'b', label: 'B', hidden: true as const },
    ],
  }

  test('are trimmed; others are left out', () =>
    expect(paramsFor(intent, { a: ' x ', b: ' ', c: 'y' })).toEqual({ a: 'x' }))

  test.each([[{}], [{ a: '  ' }], [{ a: 1 }], [{ a: null }], [{ b: 'x' }]])('%j lacks a required one', values =>
    expect(() => paramsFor(intent, values)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        extra: expect.objectContaining({ field: 'params', missing: ['a'] }),
      }),
    ),
  )
})

describe('a graph that cannot be read', () => {
  test('gives an empty table with a warning', async () =>
    expect(await orWarning(() => Promise.reject(new Error('disk')))).toEqual({ rows: [], warning: expect.any(String) }))

  test('still refuses invalid questions', async () =>
    await expect(orWarning(() => Promise.reject(invalid('topic', 'too long')))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    }))
})

test('every question is found by its id and its name; ids are unique and the order is fixed', () => {
  for (const intent of intents) {
    expect(findIntent(intent.id)).toBe(intent)
    expect(findIntent(intent.name)).toBe(intent)
  }
  expect(new Set(intents.map(intent => intent.id)).size).toBe(intents.length)
  const keys = intents.map(({ category, label }) => `${category} ${label}`)
  expect(keys).toEqual(keys.toSorted())
  expect(intents.map(intentOf).every(intent => intent.description !== null)).toBe(true)
})
