/** What automations would have done recently, according to the log (git 10). Pure. */
import { type Automation, fromOf, type Occasion, settingOf } from './occasions.ts'

/** An entry of the log about a card, oldest first. */
export interface Entry {
  readonly seq: number
  readonly action: string
  readonly card: string
  readonly actor: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The present state of the card of an entry. */
export interface CardNow {
  readonly status: string
  /** Who works on it now: the holder of its claim, or its assignee by id and name. */
  readonly workers: readonly string[]
}

/** A change that an entry names. */
export interface NamedChange {
  readonly isDraft: boolean
  readonly isExternal: boolean
  /** The names of the agent that made it; empty if unknown. */
  readonly authors: readonly string[]
}

/** The event that triggers an automation, from a log entry: a commit or branch linked by hand moves no card. */
function occasionOf({ action, details }: Entry): Occasion | undefined {
  if (action === 'change_linked')
    return details.kind === 'pull_request' || details.how === 'manual' ? undefined : 'linked'
  if (action === 'pull_request_merged') return 'merged'
  return action.startsWith('pull_request_') ? 'opened' : undefined
}

/** The status that a card had at an entry: the one that its next move left, or else its present one. */
const statusAt = (entry: Entry, moves: readonly Entry[], { status }: CardNow): string => {
  const next = moves.find(({ seq }) => seq > entry.seq)
  return next === undefined ? status : String(next.details.from_status)
}

/**
 * The cards that each automation would have moved, once each: their status and the author of the change matched at that
 * time. Gates are not checked.
 */
export function wouldHaveMoved(
  entries: readonly Entry[],
  cards: ReadonlyMap<string, CardNow>,
  changes: ReadonlyMap<string, NamedChange>,
): Readonly<Record<Automation, readonly string[]>> {
  const moved = {
    auto_start_on_change: new Set<string>(),
    auto_validation_on_pull_request: new Set<string>(),
    auto_done_on_merge: new Set<string>(),
  }
  const byCard = Map.groupBy(entries, ({ card }) => card)
  for (const [id, own] of byCard) {
    const card = cards.get(id)
    if (card === undefined) continue
    const moves = own.filter(({ action }) => action === 'card_moved')
    for (const entry of own) {
      const occasion = occasionOf(entry)
      const change = changes.get(String(entry.details.change_id))
      if (occasion === undefined || change === undefined || change.isExternal) continue
      if (occasion === 'opened' && change.isDraft && entry.action !== 'pull_request_ready') continue
      const status = statusAt(entry, moves, card)
      if (!fromOf[occasion].some(from => from === status)) continue
      const claimed = own.flatMap(({ action, seq, actor }) =>
        action === 'card_claimed' && seq <= entry.seq ? [actor] : [],
      )
      const workers = [...card.workers, ...claimed]
      if (occasion !== 'merged' && !change.authors.some(author => workers.includes(author))) continue
      moved[settingOf[occasion]].add(id)
    }
  }
  return {
    auto_start_on_change: [...moved.auto_start_on_change],
    auto_validation_on_pull_request: [...moved.auto_validation_on_pull_request],
    auto_done_on_merge: [...moved.auto_done_on_merge],
  }
}
