/** The automation for each event of a change, and the statuses from which it moves a card (git 7). Pure. */
import type { Settings } from '../../kernel/board-settings.ts'
import type { Status } from '../card-record/record.ts'
import type { Occurrence } from '../git/occurrences.ts'

/** An event of a change for which there may be an automation. */
export type Occasion = Occurrence['what']

/** The settings that switch them on. */
export const settingOf = {
  linked: 'auto_start_on_change',
  opened: 'auto_validation_on_pull_request',
  merged: 'auto_done_on_merge',
} as const satisfies Readonly<Record<Occasion, keyof Settings>>

/** An automation that moves cards. */
export type Automation = (typeof settingOf)[Occasion]

/** The statuses from which each moves a card. */
export const fromOf: Readonly<Record<Occasion, readonly Status[]>> = {
  linked: ['not_started'],
  opened: ['started', 'in_progress'],
  merged: ['validation'],
}
