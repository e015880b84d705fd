/** What a finished card is reported with. */
export const doneReport = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'As planned.',
} as const
