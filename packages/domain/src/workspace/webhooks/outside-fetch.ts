/** Calls that a library makes to addresses supplied by others (people 2.2). */
import { AgentSlots } from '../../kernel/agent-slots.ts'
import type { Address, AllowedHosts } from './addresses.ts'
import type { SendOptions } from './attempt.ts'
import { FailedHosts } from './failed-hosts.ts'

/** The limits of a call. */
export interface OutsideRules {
  readonly clock: () => number
  readonly version: string
  /** How long an answer may take, ms. */
  readonly timeoutMs?: number
  /** How much of an answer is read, bytes; default 64 KiB. */
  readonly readAtMost?: number
  /** Resolves a name to addresses; by default with the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly Address[]>) | undefined
}

/** A request, as libraries make it. */
export interface OutsideRequest {
  readonly method?: string | undefined
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  // biome-ignore lint/suspicious/noExplicitAny: whatever a request may send; only texts and forms are taken
  readonly body?: any
}

/** The maximum number of concurrent calls. */
const atOnce = 16

/** How long a call waits for a slot, ms. */
const maxWaitMs = 5_000

/**
 * Makes the `fetch` for libraries that call addresses supplied by others: an address is resolved once and checked, no
 * redirect is followed, and only part of a long answer is read.
 */
export class Outside {
  readonly #slots = new AgentSlots({ ofAll: atOnce, maxWaitMs, label: 'calls to other services' })
  readonly #mail: Omit<SendOptions, 'allowed'>

  constructor({ clock, version, timeoutMs = 5_000, readAtMost, resolve }: OutsideRules) {
    this.#mail = {
      timeoutMs,
      lookups: new AgentSlots({ ofAll: 2, maxWaitMs, label: 'look-ups' }),
      failed: new FailedHosts(clock),
      userAgent: `Specboard/${version}`,
      readAtMost,
      resolve,
    }
  }

  /**
   * A `fetch` that reaches public addresses over TLS, and the allowed hosts besides.
   * @throws TypeError if there is no answer
   */
  fetch(allowed: AllowedHosts): (url: string, request?: OutsideRequest) => Promise<Response> {
    return (url, { method = 'GET', headers, body } = {}) =>
      this.#slots.run({}, async () => {
        const { sendOnce } = await import('./attempt.ts')
        const {
          status,
          text,
          headers: answered = {},
        } = await sendOnce(
          {
            method: method === 'GET' ? 'GET' : 'POST',
            owner: new URL(url).host,
            url,
            headers: Object.fromEntries(new Headers(headers)),
            body: Buffer.from(body === undefined || body === null ? '' : String(body)),
          },
          { ...this.#mail, allowed },
          new AbortController().signal,
        )
        if (status === null) throw new TypeError(text)
        const headerEntries = Object.entries(answered).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as const] : [],
        )
        return new Response(bodiless.has(status) ? null : text, { status, headers: Object.fromEntries(headerEntries) })
      })
  }
}

/** Statuses of answers without a body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])
