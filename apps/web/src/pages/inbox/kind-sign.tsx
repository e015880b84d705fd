import { Icon, type IconName } from '../../components/icon.tsx'
import { StatusSign } from '../../components/status.tsx'
import { isCardStatus } from '../../data/cards.ts'
import type { InboxItem, InboxKind } from '../../data/inbox.ts'

/** The icon of each kind: shape first, colour second. */
const signs: Readonly<Partial<Record<InboxKind, readonly [IconName, string]>>> = {
  question: ['question', 'warn'],
  choice_comment: ['question', 'warn'],
  mention: ['comment', ''],
  answer: ['comment', ''],
  spec_review: ['file', ''],
  spec_validation: ['file', ''],
  spec_evaluation: ['file', ''],
  sprint_evaluation: ['flag', ''],
  ideation_evaluation: ['idea', ''],
  card_stuck: ['clock', 'bad'],
  card_rework: ['wrong', 'bad'],
  automation_refused: ['lock', 'warn'],
  checks_failed: ['wrong', 'bad'],
  change_unmerged: ['change', ''],
  regression: ['disproven', 'bad'],
  scenario_failed: ['disproven', 'bad'],
  card_unproven: ['stale', 'warn'],
  claim_lost: ['person', 'warn'],
  claim_expired: ['person', ''],
  card_changed: ['edit', 'warn'],
  overlap: ['file', 'warn'],
  card_attempts: ['flag', 'bad'],
  webhook_failing: ['out', 'bad'],
  forge_refused: ['change', 'bad'],
  crew_gap: ['people', 'warn'],
  connection_ended: ['offline', ''],
}

/** The kind of an inbox item as an icon; a card that waits for its next step shows its status. */
export function KindSign({ item: { kind, record } }: { readonly item: InboxItem }) {
  const sign = signs[kind]
  if (sign === undefined && record.entity_type === 'card' && isCardStatus(record.status))
    return <StatusSign status={record.status} />
  const [icon, look] = sign ?? (['file', ''] as const)
  return (
    <span className={`kind-sign ${look}`}>
      <Icon name={icon} />
    </span>
  )
}
