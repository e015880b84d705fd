import { expect, test } from 'vitest'
import { tierOf } from './tiers.ts'

const speaker = (kind: 'agent' | 'ci' | 'person' | 'service', present = false, origin: 'http' | 'mcp' = 'http') =>
  ({ caller: { kind, present, via: present ? 'session' : 'key' }, origin }) as const

test.each([
  ['an agent', speaker('agent'), false, 'claimed', 'agent'],
  ['a service', speaker('service'), false, 'claimed', 'agent'],
  ['a person that is present', speaker('person', true), false, 'person', 'person'],
  ['the key of a person', speaker('person'), false, 'claimed', 'not_present'],
  ['a pipeline', speaker('ci'), false, 'ci', 'ci_key'],
  ['a pipeline over MCP', speaker('ci', false, 'mcp'), true, 'claimed', 'mcp'],
  ['a run', speaker('agent'), true, 'observed', 'run'],
  ['a run of a pipeline', speaker('ci'), true, 'ci', 'ci_key'],
] as const)('%s', (_, who, watched, tier, tier_reason) => {
  expect(tierOf(who, watched)).toEqual({ tier, tier_reason })
})
