/**
 * Git data that is kept for a limited time: commits without a link (git 3, rule 6), and deliveries of forges (git 2).
 */
import { sql } from 'kysely'
import { RepeatedWork } from '../../kernel/followers/repeated-work.ts'
import { whileDue } from '../../kernel/followers/while-due.ts'
import { toJson } from '../../lib/json.ts'
import type { ChangeContent } from '../../schema/contents.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import type { ChangesTable } from '../../schema/tables.ts'
import { removeOldDeliveries } from './forge/delivery-store.ts'
import { contentOf } from './store.ts'

/** How often expired data is looked for, ms. */
const everyMs = 3_600_000

/** The age at which a commit without a link is shortened, ms. */
const keptMs = 180 * 86_400_000

/** Commits that are shortened in one unit of work. */
const atOnce = 100

/** Shortens commits that stayed without a link, and removes old deliveries. */
export const gitRetention = (
  database: ReadWrite,
  clock: () => number,
  onFault: (error: unknown) => void,
): RepeatedWork => {
  const act = async () => {
    await removeOldDeliveries(database, clock())
    await shortenCommits(database, clock())
  }
  return new RepeatedWork({ act, everyMs, onFault })
}

/** Shortens the commits whose time without a link is over: they are kept in short form, for their order alone. */
export async function shortenCommits(database: ReadWrite, now: number): Promise<void> {
  const before = new Date(now - keptMs).toISOString()
  await whileDue(database, {
    atOnce,
    isAnyDue: async db => (await dueBefore(db, before, 1)).length > 0,
    act: async db => {
      const due = await dueBefore(db, before, atOnce)
      for (const commit of due) await shorten(db, commit)
      return due.length
    },
  })
}

type Due = Pick<ChangesTable, 'id' | 'content' | 'updated_at'>

/** Commits that have had no link since a given time; one that somebody unlinked may be linked again (git 4, rule 4). */
async function dueBefore(db: Db, before: string, limit: number): Promise<Due[]> {
  // Literals, so that the index of these commits is used.
  const { rows } = await sql<Due>`select c.id, c.content, c.updated_at from changes c
    where c.kind = 'commit' and c.is_linked = 0 and c.is_bare = 0 and c.updated_at < ${before}
      and not exists (select 1 from change_links l where l.change_id = c.id)
    order by c.updated_at limit ${limit}`.execute(db)
  return rows
}

/** Keeps only the parts of a commit on which the order of commits, and the proof of others, depend. */
async function shorten(db: Db, { id, content, updated_at }: Due): Promise<void> {
  await db
    .updateTable('changes')
    .set({
      is_bare: 1,
      title: '',
      author_name: null,
      author_email: null,
      author_login: null,
      files_changed: null,
      additions: null,
      deletions: null,
      content: toJson(shortForm(contentOf({ content }))),
    })
    .where('id', '=', id)
    .where('is_linked', '=', 0)
    // It may have been reported again to another process in between.
    .where('updated_at', '=', updated_at)
    .execute()
}

const essentialMembers = [
  'tree',
  'parents',
  'authored_at',
  'committed_at',
  'merged_at',
  'rewritten_as',
  'merged_as',
] as const

const shortForm = (content: ChangeContent): ChangeContent =>
  Object.fromEntries(essentialMembers.filter(name => content[name] !== undefined).map(name => [name, content[name]]))
