/** One attempt to deliver a message over HTTP (work 6). */
import { lookup } from 'node:dns/promises'
import { type IncomingHttpHeaders, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { maskKeys } from '@specboard/contract'
import type { AgentSlots } from '../../kernel/agent-slots.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { type Address, type AllowedHosts, faultOfAddresses, faultOfUrl, hostOf, literalAddress } from './addresses.ts'
import type { FailedHosts } from './failed-hosts.ts'
import type { AttemptResult } from './rules.ts'
import { type MessageToSign, secondsOf, signatureOf } from './signature.ts'

/** A message of a webhook on its way. */
export interface WebhookMessage extends MessageToSign {
  /** The board whose event it reports. */
  readonly boardId: string
  readonly url: string
  /** The secrets that sign it, newest first. */
  readonly secrets: readonly string[]
}

/** A request to send somewhere. */
export interface OutgoingRequest {
  /** Default `POST`. */
  readonly method?: 'GET' | 'POST'
  /** The owner, a board or a person, which gets a share of the slots. */
  readonly owner: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Hosts that it may reach whatever their address is, and without TLS; by default those of webhooks. */
  readonly allowed?: AllowedHosts | undefined
}

/** The result of sending. */
export interface PostResult extends AttemptResult {
  /** The answer, as far as it was read. */
  readonly text: string
  /** How long the receiver asks to wait, ms. */
  readonly retryAfterMs: number | undefined
  /** The headers of the answer; undefined without one. */
  readonly headers?: IncomingHttpHeaders | undefined
}

/** How messages are sent. */
export interface SendOptions {
  readonly allowed: AllowedHosts
  /** How long an answer may take, ms. */
  readonly timeoutMs: number
  /** The slots for concurrent name look-ups: each takes a thread that file operations need too. */
  readonly lookups: AgentSlots
  /** Hosts whose names could not be resolved recently. */
  readonly failed: FailedHosts
  readonly userAgent: string
  /** How much of an answer is read, bytes; default 64 KiB. */
  readonly readAtMost?: number | undefined
  /** Resolves a name to addresses; by default with the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly Address[]>) | undefined
}

/** The default for how much of an answer is read, bytes. */
const usualReadAtMost = 65_536

/** How much of an answer is stored, characters. */
const keptCharacters = 500

/**
 * Sends a message once.
 * @param stop ends the attempt, because the service stops
 * @throws the reason of `stop`
 */
export async function attempt(letter: WebhookMessage, mail: SendOptions, stop: AbortSignal): Promise<AttemptResult> {
  const { boardId, url } = letter
  const headers = { 'content-type': 'application/json', ...signedHeaders(letter) }
  const { outcome, status, excerpt, durationMs } = await sendOnce(
    { owner: boardId, url, headers, body: Buffer.from(letter.body) },
    mail,
    stop,
  )
  return { outcome, status, excerpt, durationMs }
}

/**
 * Sends a request once. The name of its host is resolved once, checked, and connected to at the resolved addresses.
 * @param stop ends the attempt, because the service stops
 * @throws the reason of `stop`
 */
export async function sendOnce(parcel: OutgoingRequest, mail: SendOptions, stop: AbortSignal): Promise<PostResult> {
  const began = performance.now()
  const came = (
    outcome: AttemptResult['outcome'],
    {
      status = null,
      text = '',
      retryAfterMs,
      headers,
    }: Partial<Omit<PostResult, keyof AttemptResult>> & {
      readonly status?: number | null
    },
  ): PostResult => ({
    outcome,
    status,
    text,
    retryAfterMs,
    headers,
    excerpt: text === '' ? null : excerpt(maskKeys(text), keptCharacters),
    durationMs: Math.round(performance.now() - began),
  })
  const { allowed = mail.allowed } = parcel
  try {
    const url = new URL(parcel.url)
    const fault = faultOfUrl(parcel.url, allowed)
    if (fault !== undefined) return came('refused', { text: `Not sent: the url ${fault}.` })
    const addresses = await unlessStopped(addressesOf(hostOf(url), parcel.owner, mail), stop)
    const inside = allowed.has(url) ? undefined : faultOfAddresses(addresses)
    if (inside !== undefined) return came('refused', { text: inside })
    const answer = await send(url, parcel, addresses, mail, stop)
    return came(answer.status >= 200 && answer.status < 300 ? 'received' : 'failed', answer)
  } catch (error) {
    stop.throwIfAborted()
    return came('failed', { text: reasonOf(error, mail.timeoutMs) })
  }
}

/** How long a look-up may take, ms. */
const looksUpWithinMs = 5_000

async function addressesOf(host: string, boardId: string, mail: SendOptions): Promise<readonly Address[]> {
  const literal = literalAddress(host)
  if (literal !== undefined) return [literal]
  const { resolve = resolved, lookups, failed } = mail
  return new Promise((settle, reject) => {
    // A look-up by the system cannot be cancelled: it keeps its slot while its thread works on it, but nobody waits for
    // it.
    lookups
      .run({ boardId }, async () => {
        failed.refuse(host)
        const late = setTimeout(() => {
          failed.add(host)
          reject(notFound())
        }, looksUpWithinMs).unref()
        try {
          settle(await resolve(host))
        } catch (error) {
          failed.add(host)
          throw error
        } finally {
          clearTimeout(late)
        }
      })
      .catch(reject)
  })
}

const notFound = (): Error => Object.assign(new Error('The name was not found in time.'), { code: 'ETIMEOUT' })

const resolved = async (host: string): Promise<readonly Address[]> =>
  (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))

/** A look-up by the system cannot be cancelled, only abandoned. */
function unlessStopped<Value>(looking: Promise<Value>, stop: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(stop.reason)
    if (stop.aborted) end()
    stop.addEventListener('abort', end, { once: true })
    looking.then(resolve, reject).finally(() => stop.removeEventListener('abort', end))
  })
}

/** A look-up that returns what was resolved and checked before. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, answer) => {
    if (options.all) answer(null, [...addresses])
    else answer(null, addresses[0]!.address, addresses[0]!.family)
  }

type Answer = Pick<PostResult, 'text' | 'retryAfterMs' | 'headers'> & { readonly status: number }

/** The wait that a receiver asks for, in seconds or by a date, ms. */
function retryAfterOf({ 'retry-after': value = '', date = '' }: IncomingHttpHeaders): number | undefined {
  const ms = /^[0-9]{1,6}$/.test(value) ? 1_000 * Number(value) : Date.parse(value) - Date.parse(date)
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** Sends a request on a connection of its own; follows no redirect. */
function send(
  url: URL,
  { method = 'POST', body, headers }: OutgoingRequest,
  addresses: readonly Address[],
  { timeoutMs, userAgent, readAtMost = usualReadAtMost }: SendOptions,
  stop: AbortSignal,
): Promise<Answer> {
  const options: RequestOptions = {
    method,
    agent: false,
    lookup: pinned(addresses),
    signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    headers: { ...(method === 'POST' && { 'content-length': body.length }), 'user-agent': userAgent, ...headers },
  }
  return new Promise((resolve, reject) => {
    // Once the status has arrived, an aborted body makes no difference.
    let ended: (error: unknown) => void = reject
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, response => {
      const parts: Buffer[] = []
      let size = 0
      ended = () => {
        resolve({
          status: response.statusCode!,
          text: Buffer.concat(parts).subarray(0, readAtMost).toString(),
          retryAfterMs: retryAfterOf(response.headers),
          headers: response.headers,
        })
        request.destroy()
      }
      response.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size >= readAtMost) ended(undefined)
      })
      for (const end of ['end', 'error', 'close']) response.on(end, ended)
    })
    request.on('error', error => ended(error))
    request.end(body)
  })
}

/** The headers of Standard Webhooks, signed with each secret. */
const signedHeaders = ({ secrets, ...message }: WebhookMessage): Readonly<Record<string, string>> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(secondsOf(message.sentAt)),
  'webhook-signature': secrets.map(secret => signatureOf(secret, message)).join(' '),
})

/** Why there is no answer. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown }
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `No answer within ${timeoutMs / 1000} s.`
  return `No answer: ${typeof code === 'string' ? code : 'the connection failed'}.`
}
