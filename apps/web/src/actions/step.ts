import { addressOn } from '../address.ts'
import type { NextAction } from '../data/refusal.ts'

/** How a person takes a suggested action: at once, in a form, or on another page. */
export type Step =
  | { readonly kind: 'call' }
  | { readonly kind: 'form'; readonly form: FormName }
  | { readonly kind: 'lead'; readonly address: string }

/** Actions that have a form here. */
const formNames = ['move_card', 'record_scenario_result', 'submit_task_validation'] as const
export type FormName = (typeof formNames)[number]

/** Actions whose suggested arguments are complete. */
const complete: ReadonlySet<string> = new Set([
  'assign_sprint_tasks',
  'link_card_to_spec',
  'move_ideation',
  'move_refinement',
  'move_spec',
  'move_sprint',
  'remove_card_dependency',
  'restore_record',
  'unlink_test_task',
])

/** Actions that are taken on the coverage page of a spec. */
const covering: ReadonlySet<string> = new Set(['create_card', 'link_task_to_item'])

/** The kinds of record that an action can be about; if its arguments name several, the first in this order counts. */
const kinds = ['card', 'sprint', 'spec', 'refinement', 'ideation'] as const

const idIn = (action: NextAction, kind: string): string | undefined => {
  const id = action.arguments[`${kind}_id`]
  return typeof id === 'string' ? id : undefined
}

/** The kind and id of the record that an action is about. */
export function subjectOf(action: NextAction): { readonly kind: string; readonly id: string } | undefined {
  for (const kind of kinds) {
    const id = idIn(action, kind)
    if (id !== undefined) return { kind, id }
  }
  return undefined
}

/**
 * How a suggested action is taken; undefined where no page exists for it, so only its text is shown.
 * @param boardKey the key of the open board
 */
export function stepOf(action: NextAction, boardKey: string | undefined): Step | undefined {
  const { name } = action
  const form = formNames.find(candidate => candidate === name)
  if (form !== undefined) return { kind: 'form', form }
  if (complete.has(name)) return { kind: 'call' }
  const subject = subjectOf(action)
  if (boardKey === undefined || subject === undefined) return undefined
  const kind = covering.has(name) ? 'coverage' : subject.kind
  return { kind: 'lead', address: addressOn(boardKey, kind, subject.id) }
}
