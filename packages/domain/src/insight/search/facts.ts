import { sql } from 'kysely'
import type { FollowerFacts } from '../../kernel/followers/facts.ts'
import { checkSearch, rebuildSearch } from './check.ts'

/** The number of changes from which search counts as far behind. */
const farBehind = 10_000

export const searchFacts: FollowerFacts = {
  name: 'search',
  backlog: {
    metric: 'search_behind_changes',
    help: 'About how many changes wait for search.',
    count: sql<number>`select coalesce(
      (select max(change) from search_changes) - (select min(change) from search_changes) + 1, 0)`,
    problem: count => (count > farBehind ? `search is about ${count} changes behind` : undefined),
  },
  checks: [
    {
      name: 'search index',
      stake: 'derived',
      look: async db => {
        const { wrong, waiting } = await checkSearch(db)
        const says = 'agrees with the records'
        if (wrong === 0) return [{ ok: true, says: waiting === 0 ? says : `${says}; ${waiting} changes wait for it` }]
        const inDatabase = async (target: typeof db) => {
          await rebuildSearch(target)
          return `rebuilt, ${wrong} records were wrong`
        }
        const rebuild = { does: 'rebuilds it', inDatabase }
        return [{ ok: false, says: `${wrong} records are wrong in it`, rebuild }]
      },
    },
  ],
}
