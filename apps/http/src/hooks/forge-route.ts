/** The endpoint for forge events (git 2): a route, not an operation. */
import { DomainError, type ForgeEvents } from '@specboard/domain'
import { answer, json } from '../answers.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'
import { MinuteCounts } from '../limits/minute-counts.ts'
import { addressOf } from '../middleware/address.ts'
import { tooLarge, withBody } from '../received-body.ts'
import { forgeHeaders } from './forge-headers.ts'

/** The maximum events of a repository, and bad signatures from an address, in a minute. */
const maxPerMinute = { events: 600, badSignatures: 60 } as const

/** The options of the endpoint. */
export interface ForgeDoor {
  readonly events: ForgeEvents
  /** Maximum number of bytes of an event. */
  readonly maxBytes: number
}

type Counts = Readonly<Record<keyof typeof maxPerMinute, MinuteCounts>>

const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)
const isJson = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type)

const tooMany = (retry_after: number) => new DomainError('RATE_LIMITED', 'Refused.', { retry_after })

/** @throws DomainError RATE_LIMITED */
function checkRate(counts: Counts, repository: string, address: string): void {
  const events = counts.events.count(repository)
  if (events.count > maxPerMinute.events) throw tooMany(counts.events.secondsLeft(events))
  const bad = counts.badSignatures.present(address)
  if (bad.count >= maxPerMinute.badSignatures) throw tooMany(counts.badSignatures.secondsLeft(bad))
}

async function received(c: HttpContext, id: string, { events, maxBytes }: ForgeDoor, counts: Counts) {
  const repository = await events.repository(id)
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  checkRate(counts, repository.id, addressOf(c))
  const type = c.req.header('content-type') ?? ''
  if (!isJson(type) && !isForm(type)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Refused.')
  const headers = forgeHeaders(repository.forge, name => c.req.header(name))
  try {
    return await withBody(c, maxBytes, bytes => events.receive(repository, { ...headers, bytes, isForm: isForm(type) }))
  } catch (error) {
    if (error instanceof DomainError && error.status === 401) counts.badSignatures.count(addressOf(c))
    throw error
  }
}

const noStore = { ...json, 'cache-control': 'no-store' }

/** The answer reveals nothing but its status code (git 2). */
function refusal(c: HttpContext, error: unknown): Response {
  if (!(error instanceof DomainError)) throw error
  const { retry_after } = error.detail
  const headers = retry_after === undefined ? noStore : { ...noStore, 'retry-after': String(retry_after) }
  const detail = { error: error.code, message: 'The event was refused.' }
  return answer(c, error.status, headers, JSON.stringify({ detail }))
}

/** Adds `POST /hooks/forge/{repository_id}`. */
export function addForgeDoor(app: HttpApp, door: ForgeDoor): void {
  const clock = () => performance.now()
  const counts: Counts = { events: new MinuteCounts(clock), badSignatures: new MinuteCounts(clock) }
  app.post('/hooks/forge/:repository_id', async c => {
    try {
      const { status, body } = await received(c, c.req.param('repository_id'), door, counts)
      return answer(c, status, noStore, JSON.stringify(body))
    } catch (error) {
      return refusal(c, error)
    }
  })
}
