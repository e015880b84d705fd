/** Messages to people and agents: notifications, mentions and news. */
import type { ChannelType, NotificationStatus, QuietHours } from '@specboard/contract'
import type { z } from 'zod'
import { flag, json, jsonOf, nullable, ofBoard, oneOf, text, whole } from '../columns.ts'
import type { ShownArrival } from '../contents.ts'
import { type RowOf, table } from '../table.ts'

/** A person's notification settings (people 5). */
export const notificationSettings = table({
  name: 'notification_settings',
  key: ['person_id'],
  columns: {
    person_id: text,
    quiet_hours: nullable(jsonOf<typeof QuietHours>()),
    digest_at: text,
    time_zone: text,
    muted_boards: json<readonly string[]>(),
    content: oneOf<'title' | 'ref'>(),
    /** Earlier items of the inbox are never reported. */
    watched_from: nullable(text),
  },
})
export type NotificationSettingsTable = RowOf<typeof notificationSettings>

/** A channel through which a person is notified (people 5.1). */
export const notificationChannels = table({
  name: 'notification_channels',
  columns: {
    id: text,
    person_id: text,
    type: oneOf<z.output<typeof ChannelType>>(),
    name: text,
    /** The displayed form of its destination, which is masked. */
    target: text,
    /** Its destination, encrypted (trust 5). */
    sealed: text,
    /** The hash of a browser's push endpoint, which is one channel. */
    endpoint_hash: nullable(text),
    verified: flag,
    active: flag,
    kinds: json<readonly string[]>(),
    mode: oneOf<'now' | 'digest'>(),
    /** The position of the last arrival that was sent or did not have to be sent. */
    cursor: text,
    /** The day of its last digest, in the person's time zone. */
    digest_on: nullable(text),
    /** The number of dropped messages of each kind since the last summary. */
    missed: nullable(json<Readonly<Record<string, number>>>()),
    code_hash: nullable(text),
    code_until: nullable(text),
    code_tries: whole,
    /** Failed attempts since the last success. */
    failures: whole,
    created_at: text,
    last_success_at: nullable(text),
    last_failure_at: nullable(text),
    failing_since: nullable(text),
    disabled_reason: nullable(text),
  },
})
export type NotificationChannelsTable = RowOf<typeof notificationChannels>

/** An item of a person's inbox, as channels track it; settled items have no row. */
export const notificationArrivals = table({
  name: 'notification_arrivals',
  key: ['person_id', 'item_id'],
  columns: {
    person_id: text,
    item_id: text,
    /** Later ones sort after earlier ones. */
    place: text,
    kind: text,
    board_id: text,
    since: text,
    arrived_at: text,
    /** Whether nobody is notified: the person caused it, has muted the board, or the item was there before. */
    silent: flag,
    shown: json<ShownArrival>(),
  },
})
export type NotificationArrivalsTable = RowOf<typeof notificationArrivals>

/** A message to a channel (people 5.2). */
export const notificationDeliveries = table({
  name: 'notification_deliveries',
  columns: {
    id: text,
    channel_id: text,
    person_id: text,
    purpose: oneOf<'item' | 'summary' | 'digest' | 'test' | 'code'>(),
    /** It covers the arrivals after this position, up to `to_place`. */
    from_place: text,
    to_place: text,
    item_ids: json<readonly string[]>(),
    kinds: json<readonly string[]>(),
    status: oneOf<z.output<typeof NotificationStatus>>(),
    attempts: whole,
    next_attempt_at: nullable(text),
    reason: nullable(text),
    created_at: text,
    delivered_at: nullable(text),
  },
})
export type NotificationDeliveriesTable = RowOf<typeof notificationDeliveries>

/** A mention: somebody whose handle appears in a text (people 5.6). */
export const mentions = table({
  name: 'mentions',
  removed: 'in pieces',
  columns: {
    id: text,
    agent_id: text,
    entity_type: text,
    entity_id: text,
    /** The text: the id of a comment, question or answer, or a field of the record. */
    source: text,
    board_id: text,
    author_id: text,
    excerpt: text,
    at: text,
    /** Whether it is still in the inbox. */
    is_open: flag,
    /** Whether channels report it; they report only a limited number of mentions per hour from one author. */
    told: flag,
  },
})
export type MentionsTable = RowOf<typeof mentions>

/** News for an agent, kept until the agent reads the record or dismisses them (crew 4.3). */
export const news = table({
  name: 'news',
  key: ['agent_id', 'kind', 'source'],
  removed: 'in pieces',
  columns: {
    agent_id: text,
    kind: text,
    source: text,
    board_id: ofBoard,
    entity_type: text,
    entity_id: text,
    since: text,
    actor_id: nullable(text),
    actor_name: nullable(text),
    data: json<Readonly<Record<string, unknown>>>(),
    /** The record as it was, if it no longer exists. */
    record: nullable(json<{ readonly ref: string | null; readonly title: string; readonly status: string }>()),
  },
})
export type NewsTable = RowOf<typeof news>

/** How somebody marked an item of their inbox: as read, or put away (board 1.1). */
export const inboxMarks = table({
  name: 'inbox_marks',
  key: ['agent_id', 'item_id'],
  removed: 'in pieces',
  columns: {
    agent_id: text,
    item_id: text,
    /** Empty for an item that belongs to no board. */
    board_id: text,
    record_id: text,
    /** The time since which the item had been waiting: an item that comes up again has no mark. */
    since: text,
    is_read: flag,
    is_snoozed: flag,
    /** Until when it is put away; null if no time brings it back. */
    until: nullable(text),
    /** A later entry about its record by somebody else brings it back; null if none does. */
    after_seq: nullable(whole),
  },
})
export type InboxMarksTable = RowOf<typeof inboxMarks>
