import type { Settings } from './board-settings.ts'

/** The settings of a board that say who approves (people 1.3). */
export const approvalSettings = [
  'approval_spec',
  'approval_spec_validation',
  'approval_card_validation',
  'approval_done',
] as const

export type ApprovalSetting = (typeof approvalSettings)[number]

/** A board's settings, as far as they say who approves. */
export type Approvals = Pick<Settings, ApprovalSetting>

/** The settings that ask for a person before and no longer afterwards: only a present person loosens them. */
export const loosened = (before: Approvals, after: Approvals): readonly ApprovalSetting[] =>
  approvalSettings.filter(setting => before[setting] === 'person' && after[setting] !== 'person')

/** The settings that ask for a person. */
export const personal = (settings: Approvals): readonly ApprovalSetting[] =>
  approvalSettings.filter(setting => settings[setting] === 'person')
