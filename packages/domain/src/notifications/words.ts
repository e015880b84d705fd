/** The texts of messages (people 5.4). Pure. */
import { oneLine } from '../lib/one-line.ts'
import type { ShownArrival } from '../schema/contents.ts'

/** The words for a kind of item: for a single item, and the singular and plural for a summary. */
type Words = readonly [one: string, counted: string, many: string]

const wordsOf: Readonly<Record<string, Words>> = {
  question: ['Question', 'question', 'questions'],
  choice_comment: ['Choice', 'choice', 'choices'],
  card_validation: ['Card to validate', 'card to validate', 'cards to validate'],
  card_rework: ['Card to rework', 'card to rework', 'cards to rework'],
  card_approval: ['Card to approve', 'card to approve', 'cards to approve'],
  card_passed: ['Card to finish', 'card to finish', 'cards to finish'],
  card_attempts: ['Card out of attempts', 'card out of attempts', 'cards out of attempts'],
  card_outgrown: ['Card outgrown', 'outgrown card', 'outgrown cards'],
  card_stuck: ['Card stuck', 'stuck card', 'stuck cards'],
  card_changed: ['Card changed', 'changed card', 'changed cards'],
  card_unplanned: ['Card without a plan', 'card without a plan', 'cards without a plan'],
  claim_expired: ['Claim expired', 'expired claim', 'expired claims'],
  claim_lost: ['Claim lost', 'lost claim', 'lost claims'],
  spec_review: ['Spec to review', 'review', 'reviews'],
  spec_validation: ['Spec to validate', 'spec to validate', 'specs to validate'],
  spec_evaluation: ['Spec to evaluate', 'spec to evaluate', 'specs to evaluate'],
  spec_coverage: ['Spec without coverage', 'spec without coverage', 'specs without coverage'],
  spec_start: ['Spec to start', 'spec to start', 'specs to start'],
  spec_finish: ['Spec to finish', 'spec to finish', 'specs to finish'],
  sprint_evaluation: ['Sprint to evaluate', 'sprint to evaluate', 'sprints to evaluate'],
  sprint_next: ['Sprint to continue', 'sprint to continue', 'sprints to continue'],
  ideation_evaluation: ['Ideation to evaluate', 'ideation to evaluate', 'ideations to evaluate'],
  ideation_next: ['Ideation to continue', 'ideation to continue', 'ideations to continue'],
  refinement_next: ['Refinement to continue', 'refinement to continue', 'refinements to continue'],
  own_draft: ['Draft', 'draft', 'drafts'],
  webhook_failing: ['Webhook failing', 'failing webhook', 'failing webhooks'],
  automation_refused: ['Move refused', 'refused move', 'refused moves'],
  checks_failed: ['Checks failed', 'card with failed checks', 'cards with failed checks'],
  scenario_failed: ['Scenario failed', 'failed scenario', 'failed scenarios'],
  regression: ['Regression', 'regression', 'regressions'],
  card_unproven: ['Card to prove', 'card to prove', 'cards to prove'],
  change_unmerged: ['Change to merge', 'change to merge', 'changes to merge'],
  forge_refused: ['Events refused', 'repository with refused events', 'repositories with refused events'],
  answer: ['Answer', 'answer', 'answers'],
  overlap: ['Overlap', 'overlap', 'overlaps'],
  crew_gap: ['Nobody for a stage', 'stage without anybody', 'stages without anybody'],
  notice: ['Notice', 'notice', 'notices'],
  mention: ['Mention', 'mention', 'mentions'],
  connection_ended: ['Connection ended', 'ended connection', 'ended connections'],
}

const spelled = (kind: string): string => kind.replaceAll('_', ' ')

/** An item, as a message reports it. */
export interface MessageItem extends ShownArrival {
  readonly kind: string
}

/** What an item is about, in a line without its title. */
export function headlineOf({ kind, ref, actor }: MessageItem): string {
  const [one] = wordsOf[kind] ?? [spelled(kind)]
  const from = actor === null ? '' : ` from ${oneLine(actor)}`
  return `${ref === null ? '' : `[${ref}] `}${one}${from}`
}

/** An item in a line; with the title of its record unless only the reference is to be sent. */
export const lineOf = (item: MessageItem, content: 'title' | 'ref'): string =>
  content === 'ref' ? headlineOf(item) : `${headlineOf(item)}: "${oneLine(item.title)}"`

/** The number of each kind: `7 more: 4 questions, 3 reviews`. */
export function countsLine(counts: Readonly<Record<string, number>>, word: 'more' | 'new'): string {
  const parts = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
  const total = parts.reduce((sum, [, count]) => sum + count, 0)
  const listed = parts.map(([kind, count]) => {
    const [, counted, many] = wordsOf[kind] ?? [kind, spelled(kind), spelled(kind)]
    return `${count} ${count === 1 ? counted : many}`
  })
  return `${total} ${word}: ${listed.join(', ')}`
}
