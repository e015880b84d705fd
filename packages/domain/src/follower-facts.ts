import { forgeFacts } from './delivery/git/forge/facts.ts'
import { graphFacts } from './graph/facts.ts'
import { searchFacts } from './insight/search/facts.ts'
import type { Check, FollowerFacts } from './kernel/followers/facts.ts'
import { notificationFacts } from './notifications/facts.ts'
import { countFalse, recount } from './schema/check-counts.ts'
import { webhookFacts } from './workspace/webhooks/facts.ts'

/** All followers with facts in the database. */
export const followerFacts: readonly FollowerFacts[] = [
  graphFacts,
  searchFacts,
  webhookFacts,
  notificationFacts,
  forgeFacts,
]

/** Counts of lists are kept by triggers, but checked and rebuilt like what followers derive. */
const listCounts: Check = {
  name: 'list counts',
  stake: 'derived',
  look: async db => {
    const wrong = await countFalse(db)
    if (wrong === 0) return [{ ok: true, says: 'agree with the records' }]
    const inDatabase = async (target: typeof db) => {
      await recount(target)
      return `${wrong} recounted`
    }
    const rebuild = { does: 'recounts them', inDatabase }
    return [{ ok: false, says: `${wrong} are wrong`, rebuild }]
  },
}

/** The checks of `specboard doctor` for derived data and followers. */
export const followerChecks: readonly Check[] = [listCounts, ...followerFacts.flatMap(({ checks = [] }) => checks)]
