import type { IconName } from '../../components/icon.tsx'
import { RecordStatus } from '../../components/record-status.tsx'
import { cardStatuses } from '../../data/cards.ts'
import type { LineageKind, LineageNode } from '../../data/lineage.ts'
import { messages } from '../../messages/messages.ts'
import { statusWords } from '../../messages/status-words.ts'

/** The icon of each kind of node. */
export const kindIcons: Readonly<Record<LineageKind, IconName>> = {
  ideation: 'idea',
  refinement: 'refinement',
  spec: 'file',
  sprint: 'flag',
  task: 'board',
  test: 'test',
  bug: 'bug',
  business_rule: 'lock',
  technical_requirement: 'settings',
  scenario: 'test',
  api_contract: 'link',
  decision: 'refinement',
  validation: 'check',
  mockup: 'shapes',
  knowledge: 'graph',
  architecture: 'shapes',
  change: 'change',
}

const isCard = ({ card_type }: LineageNode): boolean => card_type !== undefined

const cardStatusOf = (node: LineageNode) =>
  isCard(node) ? cardStatuses.find(status => status === node.status) : undefined

/** The state of a record or part. */
export const NodeState = ({ node }: { readonly node: LineageNode }) => (
  <RecordStatus isCard={isCard(node)} status={node.status} />
)

/** The state of a node in words, for screen readers. */
export function stateWords(node: LineageNode): string {
  const cardStatus = cardStatusOf(node)
  if (cardStatus !== undefined) return messages.board.statuses[cardStatus]
  if (node.status === null) return ''
  return statusWords(node.status)
}
