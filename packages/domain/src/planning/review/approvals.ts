import type { Permission } from '@specboard/contract'
import type { ApprovalSetting, Approvals } from '../../kernel/approval-settings.ts'
import type { Caller } from '../../kernel/context.ts'
import { type Ruling, ruling } from '../../kernel/gates.ts'
import { PersonRequired } from '../../kernel/person-required.ts'
import type { Requester } from '../../kernel/record-gates.ts'
import { isSeparate, type Participation, separationRefusal } from './rules.ts'

/** Something to be approved. */
export interface Approval {
  readonly setting: ApprovalSetting
  /** What is approved, as a noun phrase. */
  readonly action: string
  /** The permissions that a person needs to approve it. */
  readonly permissions: readonly Permission[]
  /** Whether it is in the inbox of the people who may approve it. */
  readonly isAsked: boolean
}

/**
 * The ruling of a board's settings on who approves something (people 1.3).
 * @param work who took part in what is approved; used only if the setting is `separate`
 */
export function approvalGate(
  { setting, ...approval }: Approval,
  settings: Approvals,
  work: readonly Participation[],
  { caller, boardId }: Pick<Requester, 'caller' | 'boardId'>,
): Ruling {
  const value = settings[setting]
  if (value === 'separate') return ruling('person', separationRefusal(work, caller.id, boardId))
  if (value === 'anyone' || caller.present) return ruling('person', null, value === 'anyone' ? setting : null)
  return ruling('person', new PersonRequired({ needs: 'present', gate: setting, boardId, ...approval }))
}

/**
 * Whether a caller could approve something, in the case of a person once present. This decides what appears in the
 * caller's inbox (people 1.3).
 * @param value the setting
 */
export async function couldApprove(
  value: Approvals[ApprovalSetting],
  caller: Pick<Caller, 'id' | 'kind'>,
  work: () => Promise<readonly Participation[]>,
): Promise<boolean> {
  if (value === 'person') return caller.kind === 'person'
  return value === 'anyone' || isSeparate(await work(), caller.id)
}
