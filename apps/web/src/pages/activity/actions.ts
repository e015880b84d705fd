/** The groups of actions by which a board's activity is filtered, each with several actions of the log. */

const kinds = ['board', 'ideation', 'refinement', 'spec', 'sprint', 'card', 'architecture', 'guideline'] as const
const moving = ['ideation', 'refinement', 'spec', 'sprint', 'card', 'automation'] as const
const asking = ['ideation_', 'refinement_', 'spec_', ''] as const

const each = (before: readonly string[], ...after: readonly string[]): readonly string[] =>
  before.flatMap(one => after.map(other => one + other))

/** The actions of the log, by what they are about. */
export const actionGroups = {
  created: [...each(kinds, '_created'), 'spec_draft_created', 'architecture_copied', 'card_promoted'],
  changed: [...each(kinds, '_updated'), 'card_requirement_changed'],
  moved: [...each(moving, '_moved'), 'status_changed', 'automation_refused', 'card_passed', 'spec_unlocked'],
  removed: each(kinds, '_deleted', '_archived', '_restored'),
  verdicts: [
    ...['validation_submitted', 'validation_deleted', 'evaluation_submitted', 'ideation_complexity_evaluated'],
    ...['spec_validation_submitted', 'spec_evaluation_submitted', 'sprint_evaluation_submitted'],
    ...['card_waived', 'card_waiver_removed'],
  ],
  comments: each(['comment'], '_added', '_updated', '_deleted', '_responded'),
  questions: each(asking, 'question_added', 'question_answered', 'question_deleted'),
  work: [
    ...['card_claimed', 'claim_released', 'claim_expired', 'claim_renewed'],
    ...['checkpoint_saved', 'card_attempts_allowed'],
  ],
  tests: [
    ...['scenario_failed', 'scenario_proved', 'scenario_tests_set', 'test_scenario_status_changed'],
    ...['report_submitted', 'proof_run_finished', 'evidence_outranked'],
  ],
  code: [
    ...['change_linked', 'change_unlinked', 'changes_recorded', 'commit_vanished', 'scope_left'],
    ...each(['pull_request'], '_opened', '_ready', '_reviewed', '_merged', '_closed', '_reopened'),
    ...['checks_failed', 'checks_passed'],
  ],
  materials: [
    ...each(asking, 'knowledge_added', 'knowledge_updated', 'knowledge_deleted'),
    ...each(['attachment'], '_uploaded', '_deleted'),
  ],
  links: [
    ...each(['dependency'], '_added', '_removed'),
    ...each(['spec_card', 'spec_task'], '_linked', '_unlinked'),
    ...each(['sprint_tasks'], '_assigned', '_unassigned'),
  ],
  access: [
    ...['board_shared', 'board_unshared', 'board_share_updated'],
    ...['agent_granted', 'agent_revoked', 'agent_access_updated'],
  ],
  setup: [
    ...each(['repository', 'view', 'template'], '_created', '_updated', '_deleted'),
    ...each(['name'], '_merged', '_kept_apart', '_reopened'),
    ...['authors_updated', 'ci_trust_set', 'kg_settings_updated'],
  ],
  imports: ['imported'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ActionGroup = keyof typeof actionGroups

export const actionGroupNames = Object.keys(actionGroups) as readonly ActionGroup[]

const isGroup = (name: string): name is ActionGroup => Object.hasOwn(actionGroups, name)

/** The actions to request: those of a group, or those that the address lists itself. */
export const askedActions = (name: string): string => (isGroup(name) ? actionGroups[name].join() : name)
