import { describe, expect, test } from 'vitest'
import { isEditable, linkableStatuses, refuseNotReady, specStates } from './states.ts'

const table: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  draft: { review: [], cancelled: [] },
  review: { draft: [], approved: [], cancelled: [] },
  approved: { draft: [], review: [], cancelled: [], validated: ['coverage', 'spec_validation'] },
  validated: { draft: [], approved: [], in_progress: ['coverage', 'evaluation'], cancelled: [] },
  in_progress: {
    validated: ['coverage'],
    done: ['criteria', 'coverage', 'sprints', 'tasks', 'scenarios', 'proof'],
    cancelled: [],
  },
  done: { draft: [] },
  cancelled: { draft: [] },
}

describe.each(specStates.states)('from %s', from => {
  test.each(specStates.states)('to %s', to => {
    const gates = table[from]?.[to]
    const refusal = specStates.refusal(from, to)
    expect(specStates.gates(from, to)).toEqual(gates ?? [])
    if (gates !== undefined) expect(refusal).toBeNull()
    else {
      const allowed = expect.arrayContaining(Object.keys(table[from]!))
      expect(refusal).toMatchObject({ code: 'INVALID_TRANSITION', extra: { from, to, allowed } })
    }
  })
})

test('the editable statuses', () => {
  expect(specStates.states.filter(isEditable)).toEqual(['draft', 'review', 'approved'])
})

test.each(specStates.states)('whether a %s spec allows links of cards', status => {
  const check = () => refuseNotReady({ id: 's', status }, linkableStatuses)
  if (['approved', 'validated', 'in_progress', 'done'].includes(status)) expect(check).not.toThrow()
  else {
    const extra = { spec_id: 's', spec_status: status, allowed: linkableStatuses }
    expect(check).toThrow(expect.objectContaining({ code: 'SPEC_NOT_READY', extra }))
  }
})
