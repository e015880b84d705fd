/** New items in a person's inbox: compared with the known ones, and stored for the person's channels (people 5.2). */

import { snoozesOf } from '../insight/inbox/marks.ts'
import { itemsOf } from '../insight/inbox/operations.ts'
import { idOf } from '../insight/inbox/rules.ts'
import type { Source } from '../insight/inbox/source.ts'
import { sources } from '../insight/inbox/sources/all.ts'
import { Access } from '../kernel/access/access.ts'
import type { Context } from '../kernel/context.ts'
import { parseJson, toJson } from '../lib/json.ts'
import { byAscii } from '../lib/text-order.ts'
import type { Database, Db } from '../schema/database.ts'
import { insertRow } from '../schema/rows.ts'
import {
  type ArrivalRow,
  changeSettings,
  channelsOf,
  knownItems,
  removeArrivals,
  settingsOf,
  untoldMentions,
} from './store.ts'

/** The number of items that are read at once. */
const shownAtOnce = 100

/** An item in an inbox. */
interface InboxEntry {
  readonly id: string
  readonly since: string
  /** When it came back, if it had been put away (board 1.1). */
  readonly backSince?: string | undefined
  readonly from: Source
  readonly thing: { readonly source: string; readonly record: string; readonly board: string; readonly since: string }
}

/** The result of a check. */
export interface InboxCheck {
  /** The boards that the person sees. */
  readonly boards: readonly string[]
  /** The next time at which there may be more merely because time has passed; null if nothing expires. */
  readonly nextAt: string | null
  readonly items: readonly InboxEntry[]
}

/** Reads on behalf of the person. */
export type ReadAsPerson = <Value>(run: (ctx: Context) => Promise<Value>) => Promise<Value>

const boardsOf = async (ctx: Context): Promise<Access[]> =>
  (await ctx.ways()).map(way => new Access(ctx.caller.base, way))

/** The current items in a person's inbox, one source at a time, so that other calls need not wait for all of them. */
export async function checkInbox(read: ReadAsPerson): Promise<InboxCheck> {
  const { seen: accesses, marks } = await read(async ctx => ({
    seen: await boardsOf(ctx),
    marks: await snoozesOf(ctx),
  }))
  const items = new Map<string, InboxEntry>()
  const times = marks.nextAt === null ? [] : [marks.nextAt]
  for (const from of sources) {
    const boards = from.isBoardless ? [] : accesses.filter(from.isOpen)
    if (boards.length === 0 && !from.isBoardless) continue
    const { found, nextAt } = await read(async ctx => ({
      found: await from.find(ctx, boards),
      nextAt: from.isBoardless ? null : ((await from.nextAt?.(ctx, boards)) ?? null),
    }))
    if (nextAt !== null) times.push(nextAt)
    for (const thing of found) {
      const item = { ...thing, kind: from.kind }
      if (marks.snooze(item) !== undefined) continue
      const id = idOf(item)
      items.set(id, { id, since: thing.since, backSince: marks.backSince(item), from, thing })
    }
  }
  return {
    boards: accesses.flatMap(({ way }) => (way === null ? [] : [way.boardId])),
    nextAt: times.toSorted()[0] ?? null,
    items: [...items.values()],
  }
}

/** The items that were added and removed since the last check; one that came back counts as new. */
export function changesIn(
  previous: readonly Pick<ArrivalRow, 'item_id' | 'since'>[],
  items: readonly InboxEntry[],
): { readonly added: readonly InboxEntry[]; readonly removed: readonly string[] } {
  const before = new Map(previous.map(({ item_id, since }) => [item_id, since]))
  const added = items.filter(({ id, since }) => before.get(id) !== since)
  const now = new Set(items.map(({ id }) => id))
  return {
    added: added.toSorted((one, other) => byAscii(one.since, other.since) || byAscii(one.id, other.id)),
    removed: [...before.keys()].filter(id => !now.has(id)),
  }
}

/** The message texts of items, and who caused each item. */
async function shownOf(read: ReadAsPerson, added: readonly InboxEntry[]) {
  const details = new Map<string, { readonly actorId: string | null; readonly shown: ReturnType<typeof toJson> }>()
  for (let from = 0; from < added.length; from += shownAtOnce) {
    const part = added.slice(from, from + shownAtOnce)
    const items = await read(async ctx =>
      itemsOf(
        ctx,
        part.map(({ thing, from: source }) => ({ ...thing, kind: source.kind, from: source })),
        await boardsOf(ctx),
      ),
    ).catch(() => [])
    for (const { id, actor_id, actor_name, record } of items)
      details.set(id, {
        actorId: actor_id,
        shown: toJson({ record: record.id, ref: record.ref, title: record.title, actor: actor_name }),
      })
  }
  return details
}

/** What storing checks needs. */
export interface InboxCheckParts {
  readonly database: Database
  readonly newId: () => string
  readonly now: () => string
}

/**
 * Stores the result of a check.
 * @param lastAt when the previous check in this process was: items that did not exist then have arrived since, whatever
 *   their time says
 */
export async function storeCheck(
  personId: string,
  look: InboxCheck,
  read: ReadAsPerson,
  { database, newId, now }: InboxCheckParts,
  lastAt: string | undefined,
): Promise<void> {
  const previous = await database.read(db => knownItems(db, personId))
  const { added, removed } = changesIn(previous, look.items)
  const { watched_from, muted_boards } = await database.read(db => settingsOf(db, personId))
  if (added.length === 0 && removed.length === 0 && watched_from !== null) return
  const details = await shownOf(read, added)
  const muted = new Set(parseJson(muted_boards))
  const untold = await database.read(db => untoldMentions(db, personId))
  const at = now()
  const rowOf = ({ id, since, backSince, from, thing }: InboxEntry, begins: string): ArrivalRow[] => {
    // An item settled during the check is gone.
    const detail = details.get(id)
    if (detail === undefined) return []
    const wasThere = watched_from === null && since <= begins
    // An item that comes back is reported to the person who put it away, even if that person caused it.
    const isUntold = backSince === undefined && (wasThere || detail.actorId === personId || untold.has(id))
    const isSilent = muted.has(thing.board) || isUntold
    const isSince = since <= at && (lastAt === undefined || since > lastAt)
    return [
      {
        person_id: personId,
        item_id: id,
        place: newId(),
        kind: from.kind,
        board_id: thing.board,
        since,
        arrived_at: backSince ?? (isSince ? since : at),
        silent: isSilent ? 1 : 0,
        shown: detail.shown as ArrivalRow['shown'],
      },
    ]
  }
  await database.write(
    async (db: Db) => {
      const channels = await channelsOf(db, personId)
      const [first] = channels
      if (first === undefined) return
      if (watched_from === null) await changeSettings(db, personId, { watched_from: first.created_at })
      await removeArrivals(db, personId, [...removed, ...added.map(({ id }) => id)])
      for (const standing of added)
        for (const row of rowOf(standing, first.created_at)) await insertRow(db, 'notification_arrivals', row)
    },
    { lock: `notifications ${personId}` },
  )
}
