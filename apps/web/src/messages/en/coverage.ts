import { number } from '../format.ts'
import { inLanguage } from '../language.ts'

export const coverage = inLanguage('coverage', {
  title: (ref: string) => `Coverage of ${ref}`,
  lead: 'What covers what, as the gates see it. Select a cell to link a card to an item, or to remove the link.',
  requirements: 'Requirements and the rules they lead to',
  criteria: 'Acceptance criteria and the scenarios that show them',
  types: {
    scenario: 'Scenarios by card',
    business_rule: 'Rules by card',
    technical_requirement: 'Technical requirements by card',
    api_contract: 'Contracts by card',
    decision: 'Decisions by card',
  },
  item: 'Item',
  gap: 'Nothing yet',
  noneCounts: 'None that counts',
  proof: 'Proof',
  testsAlone: 'Only test cards cover scenarios.',
  doesNotCount: 'This card does not count here',
  skipped: 'Not required',
  covered: (done: number, total: number) => `${number(done)} of ${number(total)} covered`,
  link: (item: string, ref: string) => `${item}: ${ref}`,
  addTest: (scenario: string) => `New test card: ${scenario}`,
  nameIn: (sentence: string) => `Name it: ${sentence}`,
  name: { business_rules: 'Name it in a rule…', test_scenarios: 'Name it in a scenario…' },
  tests: {
    title: 'Tests of the scenarios',
    lead: 'A test is named by the end of its address; * stands for any characters within a part, ** also across parts.',
    counted: 'Counted in the newest report:',
    addTo: (scenario: string) => `Add a test of ${scenario}`,
    remove: (pattern: string) => `Remove ${pattern}`,
    count: (total: number) => (total === 1 ? '1 test' : `${number(total)} tests`),
    matching: (total: number) =>
      total === 1 ? 'Matches 1 test of the newest report.' : `Matches ${number(total)} tests of the newest report.`,
  },
  noCards: 'This spec has no cards yet.',
  nothing: 'This spec has no items yet.',
})
