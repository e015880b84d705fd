import { operationByName, registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { guides } from '../guides.ts'
import { listedTemplates } from '../resources/listed-templates.ts'
import { instructionsFor } from '../server/instructions.ts'
import { serverInfo } from '../server/server-info.ts'
import { tokensOf } from '../token-cost.ts'
import { viewOf } from '../tools/view.ts'
import { listedPrompts } from './get-prompt.ts'
import { workflows } from './prompts.ts'

const args = {
  board_id: 'b'.repeat(36),
  ideation_id: 'i'.repeat(36),
  spec_id: 's'.repeat(36),
  card_id: 'c'.repeat(36),
  idea: 'x',
  report: 'y',
}

/** Words in a text that look like names of operations but are not. */
const strangers = (text: string): string[] =>
  [
    ...text.matchAll(
      /\b(?:get|list|create|update|delete|move|submit|ask|answer|derive|link|suggest|assign|find|query|boost|restore|run|call|read|search)_\w+/g,
    ),
  ]
    .map(match => match[0])
    .filter(
      name =>
        !operationByName.has(name) &&
        !['find_operations', 'read_operation', 'call_operation', 'run_operations', 'read_context'].includes(name),
    )

describe('instructions', () => {
  test.each([
    ['core', true],
    ['all', false],
    ['interface', false],
  ])('of the view %s, with meta tools: %s', (toolsets, meta) => {
    const text = instructionsFor(viewOf({ toolsets }, 'all'))
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(tokensOf(text)).toBeLessThanOrEqual(500)
    expect(text.includes('find_operations')).toBe(meta)
    expect(text.includes('read_context')).toBe(toolsets !== 'interface')
    expect(strangers(text)).toEqual([])
  })
})

describe.each(workflows.map(workflow => [workflow.name, workflow] as const))('prompt %s', (_, workflow) => {
  test('is short and names only existing operations', () => {
    const steps = workflow.steps(args)
    expect(workflow.description.length).toBeLessThanOrEqual(100)
    expect(steps.length).toBeLessThanOrEqual(1800)
    expect(strangers(steps)).toEqual([])
    expect(workflow.resource(args)).toMatch(/^specboard:\/\//)
  })
})

describe.each(Object.entries(guides))('guide %s', (_, guide) => {
  test('is short and names only existing operations', () => {
    expect(guide.text.length).toBeLessThanOrEqual(6000)
    expect(strangers(guide.text)).toEqual([])
  })
})

test('the lists of prompts and templates are cheap', () => {
  expect(tokensOf(listedPrompts(() => true))).toBeLessThanOrEqual(700)
  expect(tokensOf(listedTemplates(() => true))).toBeLessThanOrEqual(700)
})

test('a prompt is listed only when the key may use its operations', () => {
  const listed = listedPrompts(operation => operation.name !== 'submit_task_validation').map(prompt => prompt.name)
  expect(listed).not.toContain('validate_card')
  expect(listed).toContain('implement_card')
})

test('the icon is small', () => {
  expect(JSON.stringify(serverInfo('1').icons).length).toBeLessThanOrEqual(2048)
})

test('every operation has a title for search', () => {
  expect(registry.every(operation => operation.title !== '')).toBe(true)
})
