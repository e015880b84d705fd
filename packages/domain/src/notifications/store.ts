import type { NotificationChannel, NotificationDelivery } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { type Page, type Paging, paged, window } from '../kernel/page.ts'
import { parseJson, toJson } from '../lib/json.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { insertRow, updateRow } from '../schema/rows.ts'
import type {
  NotificationArrivalsTable,
  NotificationChannelsTable,
  NotificationDeliveriesTable,
  NotificationSettingsTable,
} from '../schema/tables.ts'
import { keptMs, maxIds } from './rules.ts'

/** A channel as stored. */
export type ChannelRow = NotificationChannelsTable

/** A delivery as stored. */
export type DeliveryRow = NotificationDeliveriesTable

/** An arrival as stored. */
export type ArrivalRow = NotificationArrivalsTable

/** The settings of a person who has not changed them. */
const unset = (person_id: string): NotificationSettingsTable => ({
  person_id,
  quiet_hours: null,
  digest_at: '08:00',
  time_zone: 'UTC',
  muted_boards: toJson([]),
  content: 'title',
  watched_from: null,
})

const settingsById = hot<{ person: string }, NotificationSettingsTable>((db, param) =>
  db.selectFrom('notification_settings').selectAll().where('person_id', '=', param('person')),
)

/** A person's settings. */
export const settingsOf = async (db: Db, person: string): Promise<NotificationSettingsTable> =>
  (await settingsById(db, { person }))[0] ?? unset(person)

/** Changes a person's settings. */
export async function changeSettings(
  db: Db,
  person: string,
  changed: Partial<Omit<NotificationSettingsTable, 'person_id'>>,
): Promise<void> {
  await db
    .insertInto('notification_settings')
    .values({ ...unset(person), ...changed })
    .onConflict(conflict => conflict.column('person_id').doUpdateSet({ person_id: person, ...changed }))
    .execute()
}

const channelById = hot<{ id: string }, ChannelRow>((db, param) =>
  db.selectFrom('notification_channels').selectAll().where('id', '=', param('id')),
)

/** A channel by id. */
export const findChannel = async (db: Db, id: string): Promise<ChannelRow | undefined> =>
  (await channelById(db, { id }))[0]

const byEndpoint = hot<{ hash: string }, ChannelRow>((db, param) =>
  db.selectFrom('notification_channels').selectAll().where('endpoint_hash', '=', param('hash')),
)

/** The channel of a browser, no matter whose it is. */
export const channelOfEndpoint = async (db: Db, hash: string): Promise<ChannelRow | undefined> =>
  (await byEndpoint(db, { hash }))[0]

const ofPerson = hot<{ person: string }, ChannelRow>((db, param) =>
  db
    .selectFrom('notification_channels')
    .selectAll()
    .where('person_id', '=', param('person'))
    .orderBy('created_at')
    .orderBy('id'),
)

/** The channels of a person, oldest first. */
export const channelsOf = (db: Db, person: string): Promise<ChannelRow[]> => ofPerson(db, { person })

/** Everybody who has a channel. */
export const personsWithChannels = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('notification_channels').select('person_id').distinct().execute()
  return rows.map(({ person_id }) => person_id)
}

/** A channel as its person sees it. */
export const channelOf = (row: ChannelRow, connect_url: string | null): z.output<typeof NotificationChannel> => ({
  id: row.id,
  type: row.type,
  name: row.name,
  kinds: [...parseJson(row.kinds)] as z.output<typeof NotificationChannel>['kinds'],
  mode: row.mode,
  target: row.target,
  verified: row.verified === 1,
  active: row.active === 1,
  created_at: row.created_at,
  last_success_at: row.last_success_at,
  last_failure_at: row.last_failure_at,
  failing_since: row.failing_since,
  disabled_reason: row.disabled_reason,
  connect_url,
})

/** A delivery as its person sees it. */
export const deliveryOf = (row: DeliveryRow): z.output<typeof NotificationDelivery> => ({
  id: row.id,
  channel_id: row.channel_id,
  item_ids: [...parseJson(row.item_ids)],
  kinds: [...parseJson(row.kinds)] as z.output<typeof NotificationDelivery>['kinds'],
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  reason: row.reason,
  created_at: row.created_at,
  delivered_at: row.delivered_at,
})

interface DeliveryParameters {
  person: string
  since: string
  channel: string
  status: string
}

const listed = hot<DeliveryParameters & { limit: number; offset: number }, DeliveryRow>(
  (_, param) =>
    sql<DeliveryRow>`select * from notification_deliveries
      where person_id = ${param('person')} and created_at >= ${param('since')} and purpose <> ${sql.lit('code')}
        and ${param('channel')} in ('', channel_id) and ${param('status')} in ('', status)
      order by created_at desc, id desc limit ${param('limit')} offset ${param('offset')}`,
)

const counted = hot<DeliveryParameters, { count: number }>(
  (_, param) =>
    sql<{ count: number }>`select count(*) as count from notification_deliveries
      where person_id = ${param('person')} and created_at >= ${param('since')} and purpose <> ${sql.lit('code')}
        and ${param('channel')} in ('', channel_id) and ${param('status')} in ('', status)`,
)

/** A page of the deliveries to a person's channels in the last 30 days, newest first. */
export async function listDeliveries(
  db: Db,
  person: string,
  {
    channel_id = '',
    status = '',
    ...paging
  }: Paging & { readonly channel_id?: string | undefined; readonly status?: DeliveryRow['status'] | '' | undefined },
  now: string,
): Promise<Page<ReturnType<typeof deliveryOf>>> {
  const filter = { person, since: keptSince(now), channel: channel_id, status }
  const rows = await listed(db, { ...filter, ...window(paging) })
  return paged(rows, paging, async () => (await counted(db, filter))[0]!.count, deliveryOf)
}

const keptSince = (now: string): string => new Date(Date.parse(now) - keptMs).toISOString()

/** A new delivery. */
export const newDelivery = (
  fields: Pick<DeliveryRow, 'id' | 'channel_id' | 'person_id' | 'purpose' | 'created_at'> & Partial<DeliveryRow>,
): DeliveryRow => ({
  from_place: '',
  to_place: '',
  item_ids: toJson([]),
  kinds: toJson([]),
  status: 'pending',
  attempts: 0,
  next_attempt_at: fields.created_at,
  reason: null,
  delivered_at: null,
  ...fields,
})

/** Stores a new delivery. */
export const insertDelivery = (db: Db, row: DeliveryRow): Promise<void> => insertRow(db, 'notification_deliveries', row)

/** Changes a delivery. */
export const changeDelivery = (db: Db, id: string, changed: Partial<DeliveryRow>): Promise<void> =>
  updateRow(db, 'notification_deliveries', id, changed)

/** Changes a channel. */
export const changeChannel = (db: Db, id: string, changed: Partial<ChannelRow>): Promise<void> =>
  updateRow(db, 'notification_channels', id, changed)

/** The items in a delivery, and their kinds. */
export const namedIn = (items: readonly Pick<ArrivalRow, 'item_id' | 'kind'>[]) => ({
  item_ids: toJson(items.slice(0, maxIds).map(({ item_id }) => item_id)),
  kinds: toJson([...new Set(items.map(({ kind }) => kind))]),
})

// The statuses are literals, because the index contains only open rows.
const open = hot<{ channel: string }, DeliveryRow>((db, param) =>
  db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('channel_id', '=', param('channel'))
    .where(({ ref }) => sql<SqlBool>`${ref('status')} in ('pending', 'held')`)
    .orderBy('id'),
)

/** The unfinished deliveries of a channel, in order. */
export const openDeliveries = (db: Db, channel: string): Promise<DeliveryRow[]> => open(db, { channel })

const recent = hot<{ channel: string; since: string }, Pick<DeliveryRow, 'created_at'>>(
  (_, param) =>
    sql<Pick<DeliveryRow, 'created_at'>>`select created_at from notification_deliveries
      where channel_id = ${param('channel')} and created_at > ${param('since')}
        and purpose in ('item', 'summary', 'digest') and status in ('pending', 'delivered', 'failed')`,
)

/** When the messages of a channel since a time were made. */
export const madeSince = async (db: Db, channel: string, since: string): Promise<number[]> =>
  (await recent(db, { channel, since })).map(({ created_at }) => Date.parse(created_at))

/** How many old deliveries are removed at a time. */
const removedAtOnce = 500

/** Removes expired deliveries of any channel, a limited number at a time. */
export async function removeOld(db: Db, now: string): Promise<void> {
  await db
    .deleteFrom('notification_deliveries')
    .where('id', 'in', old =>
      old
        .selectFrom('notification_deliveries')
        .select('id')
        .where('created_at', '<', keptSince(now))
        .orderBy('created_at')
        .limit(removedAtOnce),
    )
    .execute()
}

const storedItems = hot<{ person: string }, Pick<ArrivalRow, 'item_id' | 'since'>>((db, param) =>
  db.selectFrom('notification_arrivals').select(['item_id', 'since']).where('person_id', '=', param('person')),
)

/** The items in a person's inbox at the last check. */
export const knownItems = (db: Db, person: string): Promise<Pick<ArrivalRow, 'item_id' | 'since'>[]> =>
  storedItems(db, { person })

const unsentArrivals = hot<{ person: string; after: string; upTo: string; limit: number }, ArrivalRow>((db, param) =>
  db
    .selectFrom('notification_arrivals')
    .selectAll()
    .where('person_id', '=', param('person'))
    .where('place', '>', param('after'))
    .where('place', '<=', param('upTo'))
    .where('silent', '=', sql.lit(0))
    .orderBy('place')
    .limit(param('limit')),
)

/** A text that sorts after every position: ids consist of digits and lower-case letters. */
const noPlace = '~'

/** The arrivals after a position that channels report, in order. */
export const arrivalsAfter = (
  db: Db,
  person: string,
  after: string,
  { upTo = noPlace, limit = 20_000 }: { readonly upTo?: string; readonly limit?: number } = {},
): Promise<ArrivalRow[]> => unsentArrivals(db, { person, after, upTo, limit })

const countOfPerson = hot<{ person: string }, { count: number }>((db, param) =>
  db
    .selectFrom('notification_arrivals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('person_id', '=', param('person')),
)

/** The number of items in a person's inbox. */
export const countArrivals = async (db: Db, person: string): Promise<number> =>
  (await countOfPerson(db, { person }))[0]!.count

/** Keeps channels from reporting any arrivals on some boards. */
export const silenceBoards = (db: Db, person: string, boardIds: readonly string[]) =>
  db
    .updateTable('notification_arrivals')
    .set({ silent: 1 })
    .where('person_id', '=', person)
    .where('silent', '=', 0)
    .where(eb => dialect.inList(eb.ref('board_id'), JSON.stringify(boardIds)))
    .execute()

/** Removes arrivals by their items. */
export const removeArrivals = (db: Db, person: string, ids: readonly string[]) =>
  db
    .deleteFrom('notification_arrivals')
    .where('person_id', '=', person)
    .where(eb => dialect.inList(eb.ref('item_id'), JSON.stringify(ids)))
    .execute()

/** Removes the stored inbox of a person without channels. */
async function forgetPerson(db: Db, person: string): Promise<void> {
  await db.deleteFrom('notification_arrivals').where('person_id', '=', person).execute()
  await db.updateTable('notification_settings').set({ watched_from: null }).where('person_id', '=', person).execute()
}

/** Removes a channel with its messages. */
export async function removeChannel(db: Db, { id, person_id }: Pick<ChannelRow, 'id' | 'person_id'>): Promise<void> {
  await db.deleteFrom('notification_deliveries').where('channel_id', '=', id).execute()
  await db.deleteFrom('notification_channels').where('id', '=', id).execute()
  if ((await channelsOf(db, person_id)).length === 0) await forgetPerson(db, person_id)
}

/** Disables a channel, with the reason; its pending messages are dropped. */
export async function switchOff(db: Db, id: string, disabled_reason: string): Promise<void> {
  await changeChannel(db, id, { active: 0, disabled_reason })
  await db
    .updateTable('notification_deliveries')
    .set({ status: 'dropped', next_attempt_at: null, reason: 'The channel was switched off.' })
    .where('channel_id', '=', id)
    .where('status', 'in', ['pending', 'held'])
    .execute()
}

const untoldOf = hot<{ person: string }, { id: string }>((db, param) =>
  db
    .selectFrom('mentions')
    .select('id')
    .where('agent_id', '=', param('person'))
    .where('is_open', '=', sql.lit(1))
    .where('told', '=', sql.lit(0)),
)

/** The mentions that channels do not report, because their author mentions too many people (people 5.6). */
export const untoldMentions = async (db: Db, person: string): Promise<ReadonlySet<string>> =>
  new Set((await untoldOf(db, { person })).map(({ id }) => `mention:${id}`))
