/** Telegram chats that connect themselves with a code (people 5.3). */
import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Lane, type LaneWork, type Next } from '../kernel/followers/lane.ts'
import type { Leases } from '../kernel/leases.ts'
import type { Database, Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { type ChannelRow, changeChannel } from './store.ts'
import { hostOfApi } from './transports/chats.ts'
import { type Carrier, type Destination, jsonRequest } from './transports/transport.ts'

/** How long a code can be used, ms. */
export const codeLifeMs = 15 * 60_000

/** How long the Bot API holds a request open without an answer, seconds. */
const heldSeconds = 10

/** How long the bot pauses after a failure, ms. */
const restMs = 5_000

/** The lease of the node that queries the Bot API. */
const lease = 'telegram'

const Me = z.object({ result: z.object({ username: z.string() }) })

const Updates = z.object({
  result: z.array(
    z.object({
      update_id: z.number(),
      message: z
        .object({ text: z.string().exactOptional(), chat: z.object({ id: z.union([z.number(), z.string()]) }) })
        .exactOptional(),
    }),
  ),
})

/** What the bot needs from a service. */
export interface BotParts {
  readonly database: Database
  readonly leases: Leases
  readonly clock: () => number
  readonly api: string
  readonly token: string | undefined
  readonly post: Carrier['post']
  readonly seal: (channelId: string, destination: Destination) => string
  readonly onConnected: (personId: string) => void
  readonly onFault: (error: unknown) => void
  readonly stop: AbortSignal
}

/** The stored form of a code. */
export const codeHash = (code: string): string => hash('sha256', code, 'hex')

/** An unguessable code, in the form that Telegram passes on. */
export const newChatCode = (): string => randomBytes(24).toString('base64url')

const openCodes = hot<{ now: string }, Pick<ChannelRow, 'id' | 'person_id' | 'code_hash'>>((db, param) =>
  db
    .selectFrom('notification_channels')
    .select(['id', 'person_id', 'code_hash'])
    .where('code_until', '>', param('now'))
    .where('type', '=', 'telegram'),
)

/** The bot that fetches which chats have sent codes, on one node, and only while a code is open. */
export class TelegramBot implements LaneWork {
  readonly #parts: BotParts
  #username: string | undefined
  readonly #lane: Lane<TelegramBot>
  #offset = 0
  #isStarted = false
  #areCodesOpen = false

  constructor(parts: BotParts) {
    this.#parts = parts
    this.#lane = new Lane(this, parts)
  }

  /** Starts fetching, if a code is open. */
  start(): void {
    this.#isStarted = true
    this.look()
  }

  /** Call when a code may be open. */
  look(): void {
    const { token, stop } = this.#parts
    if (this.#isStarted && token !== undefined && !stop.aborted) this.#lane.wake()
  }

  stopped(): Promise<void> {
    return this.#lane.stopped()
  }

  /** The link that connects a chat with a code; null while the bot's identity is unknown. */
  connectUrl(code: string): string | null {
    return this.#username === undefined ? null : `https://t.me/${this.#username}?start=${code}`
  }

  /** Asks the Bot API once for the bot's identity; undefined while it does not answer. */
  async whoIs(): Promise<string | undefined> {
    if (this.#username !== undefined) return this.#username
    const answer = Me.safeParse(await this.#call('getMe', {}))
    if (answer.success) this.#username = answer.data.result.username
    return this.#username
  }

  async #call(method: string, body: unknown): Promise<unknown> {
    const { api, token, post } = this.#parts
    const url = `${api}/bot${token}/${method}`
    const { outcome, text } = await post(jsonRequest({ personId: 'telegram' }, url, body, { allowed: hostOfApi(url) }))
    if (outcome !== 'received') return undefined
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }

  async take(): Promise<boolean> {
    this.#areCodesOpen = (await this.#parts.database.read(db => this.#openCodes(db))).length > 0
    return !this.#areCodesOpen || this.#parts.leases.take(lease)
  }

  release(): Promise<void> {
    return this.#parts.leases.release(lease)
  }

  async step(): Promise<Next> {
    if (!this.#areCodesOpen) return 'end'
    const query = { offset: this.#offset, timeout: heldSeconds, allowed_updates: ['message'] }
    const answer = Updates.safeParse(await this.#call('getUpdates', query))
    if (!answer.success) return { until: this.#parts.clock() + restMs }
    for (const { update_id, message } of answer.data.result) {
      this.#offset = Math.max(this.#offset, update_id + 1)
      const [, code] = /^\/start ([\w-]{1,64})$/.exec(message?.text ?? '') ?? []
      if (code !== undefined) await this.#connect(code, String(message!.chat.id))
    }
    return 'continue'
  }

  #openCodes(db: Db): ReturnType<typeof openCodes> {
    return openCodes(db, { now: new Date(this.#parts.clock()).toISOString() })
  }

  async #connect(code: string, chat_id: string): Promise<void> {
    const { database, seal, onConnected } = this.#parts
    const rows = await database.read(db => this.#openCodes(db))
    const channel = rows.find(row => row.code_hash === codeHash(code))
    if (channel === undefined) return
    const { id, person_id } = channel
    const connected = {
      sealed: seal(id, { chat_id }),
      target: 'a chat',
      verified: 1,
      code_hash: null,
      code_until: null,
    } as const
    await database.write(db => changeChannel(db, id, connected), { lock: `notifications ${person_id}` })
    onConnected(person_id)
  }
}
