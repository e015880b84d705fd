export const coverage = {
  title: (ref: string) => `Coverage of ${ref}`,
  lead: 'What answers for what. A cell links a card to what it answers for, or takes the link away.',
  requirements: 'Requirements and the rules they lead to',
  criteria: 'Acceptance criteria and the scenarios that show them',
  matrix: 'Rules, contracts, decisions and scenarios by card',
  item: 'Item',
  gap: 'Nothing yet',
  covered: (done: number, total: number) => `${done} of ${total} covered`,
  link: (item: string, ref: string) => `${item}: ${ref}`,
  noCards: 'This spec has no cards yet.',
  nothing: 'This spec has no items yet.',
} as const
