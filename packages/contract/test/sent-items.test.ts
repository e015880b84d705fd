import { expect, test } from 'vitest'
import { ApiContract, TechnicalRequirement, TestScenario } from '../src/features/spec-items.ts'
import { sentItem } from '../src/sent-items.ts'

const Scenario = sentItem(TestScenario, 'SentScenario')

test('an item as an update sends it has what was sent and no defaults (crew 1.2)', () => {
  expect(Scenario.parse({ id: 'a', evidence: null, own: 1 })).toEqual({ id: 'a', evidence: null })
  expect(sentItem(ApiContract, 'SentContract').parse({ id: 'c', method: 'get' })).toEqual({ id: 'c', method: 'GET' })
})

test('its id may be left out only where that is said', () => {
  expect(Scenario.safeParse({ title: 'A' }).error?.issues).toMatchObject([{ path: ['id'] }])
  expect(sentItem(TestScenario, 'NewScenario', { withoutId: true }).parse({ title: 'A' })).toEqual({ title: 'A' })
})

test('its values are judged as those of a whole one', () => {
  expect(Scenario.safeParse({ id: 'a', status: null, title: ' ' }).error?.issues).toMatchObject([
    { path: ['title'] },
    { path: ['status'] },
  ])
})

test('an open item stays open', () => {
  expect(sentItem(TechnicalRequirement, 'SentRequirement').parse({ id: 'a', own: 1 })).toEqual({ id: 'a', own: 1 })
})
