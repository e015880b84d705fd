import type { Settings } from './board-settings.ts'

/** The settings of a board that say who approves (people 1.3). */
const approvalSettings = [
  'approval_spec',
  'approval_spec_validation',
  'approval_card_validation',
  'approval_done',
] as const

export type ApprovalSetting = (typeof approvalSettings)[number]

/** The part of a board's settings that says who approves. */
export type Approvals = Pick<Settings, ApprovalSetting>

/** The settings that required a person before and no longer do: only a present person may loosen them. */
export const loosened = (before: Approvals, after: Approvals): readonly ApprovalSetting[] =>
  approvalSettings.filter(setting => before[setting] === 'person' && after[setting] !== 'person')

/** The part of a board's settings that says what proves that a card is done (evidence 8). */
export type EvidenceSettings = Pick<
  Settings,
  'min_evidence_tier' | 'require_fresh_evidence' | 'require_merged_change' | 'require_green_checks'
>

const tiers: readonly Settings['min_evidence_tier'][] = ['claimed', 'observed', 'ci', 'person']

/** The settings that require less evidence than before. */
export function loosenedEvidence(before: EvidenceSettings, after: EvidenceSettings): (keyof EvidenceSettings)[] {
  const flags = (['require_fresh_evidence', 'require_merged_change', 'require_green_checks'] as const).filter(
    setting => before[setting] && !after[setting],
  )
  const isLower = tiers.indexOf(after.min_evidence_tier) < tiers.indexOf(before.min_evidence_tier)
  return isLower ? ['min_evidence_tier', ...flags] : flags
}

/** The settings that require a person. */
export const personal = (settings: Approvals): readonly ApprovalSetting[] =>
  approvalSettings.filter(setting => settings[setting] === 'person')
