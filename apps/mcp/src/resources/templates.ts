import type { OperationName } from '@specboard/contract'

/** A kind of resource that takes an id or a name. */
export interface Template {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType?: string
  /** How much attention from an agent it deserves. */
  readonly priority: number
  /** The operation whose permission is needed to see it; undefined if everyone may read it. */
  readonly operation?: OperationName
}

const markdown = 'text/markdown'

/** Every template, in the order of the contract (mcp 12). */
export const templates: readonly Template[] = [
  {
    uriTemplate: 'specboard://boards/{board_id}',
    name: 'board',
    title: 'Board',
    description: 'Columns with cards, running sprint, blockers, gates in force.',
    mimeType: markdown,
    priority: 0.7,
    operation: 'get_board',
  },
  {
    uriTemplate: 'specboard://boards/{board_id}/guidelines',
    name: 'guidelines',
    title: 'Guidelines of a board',
    description: 'The guidelines in force, in priority order.',
    mimeType: markdown,
    priority: 0.7,
    operation: 'list_board_guidelines',
  },
  {
    uriTemplate: 'specboard://ideations/{ideation_id}',
    name: 'ideation',
    title: 'Ideation',
    description: 'Text, scope, open questions, children, allowed moves.',
    mimeType: markdown,
    priority: 0.8,
    operation: 'get_ideation',
  },
  {
    uriTemplate: 'specboard://refinements/{refinement_id}',
    name: 'refinement',
    title: 'Refinement',
    description: 'Text, scope, open questions, specs, allowed moves.',
    mimeType: markdown,
    priority: 0.8,
    operation: 'get_refinement',
  },
  {
    uriTemplate: 'specboard://specs/{spec_id}',
    name: 'spec',
    title: 'Spec',
    description: 'Requirements, rules, contracts, scenarios, coverage, allowed moves and what blocks them.',
    mimeType: markdown,
    priority: 0.9,
    operation: 'get_spec',
  },
  {
    uriTemplate: 'specboard://sprints/{sprint_id}',
    name: 'sprint',
    title: 'Sprint',
    description: 'Goal, cards by status, evaluation state.',
    mimeType: markdown,
    priority: 0.8,
    operation: 'get_sprint',
  },
  {
    uriTemplate: 'specboard://cards/{card_id}',
    name: 'card',
    title: 'Card',
    description: 'Everything a task needs: the card, its part of the spec, knowledge, moves and what blocks them.',
    mimeType: markdown,
    priority: 0.9,
    operation: 'get_card',
  },
  {
    uriTemplate: 'specboard://attachments/{board_id}/{card_id}/{attachment_id}',
    name: 'attachment',
    title: 'Attachment',
    description: 'A file of a card, as text or bytes.',
    priority: 0.5,
    operation: 'download_attachment',
  },
  {
    uriTemplate: 'specboard://operations/{name}',
    name: 'operation',
    title: 'Operation',
    description: 'Path, permission, arguments with limits, answer, error codes.',
    mimeType: markdown,
    priority: 0.5,
  },
  {
    uriTemplate: 'specboard://guides/{topic}',
    name: 'guide',
    title: 'Guide',
    description: 'How the service works, by topic.',
    mimeType: markdown,
    priority: 0.5,
  },
]
