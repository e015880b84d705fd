/**
 * Answers and verdicts that are sent with a delay, so that they can be undone before they are sent: the service cannot
 * undo them. They are kept in this browser until the service has received them, and take effect only once, however
 * often they are sent.
 */
import { useSyncExternalStore } from 'react'
import { callHeld } from './client.ts'
import { DraftPlace } from './drafts.ts'

/** A call that waits to be sent. */
export interface HeldCall {
  /** Sent with the call, so that the service makes it once. */
  readonly id: string
  /** The inbox item that it settles. */
  readonly item: string
  readonly operation: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** When it was given, ms. */
  readonly at: number
  /** What was typed: restored as a draft if the call is undone or refused. */
  readonly draft: object | null
  /** The name of the form's draft; if undefined, that of the item. */
  readonly place?: string
}

/** The callbacks for a call that was sent. */
export interface Outcome {
  readonly onDone: (answer: unknown) => unknown
  readonly onRefused: (error: unknown) => void
}

const keyOf = (agentId: string): string => `specboard-held ${agentId}`

const nobody = new Set<string>()

let settled: ReadonlySet<string> = nobody
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The inbox items that are settled by calls that are still held. */
export const useHeldItems = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => settled)

const isCall = (value: unknown): value is HeldCall =>
  typeof value === 'object' && value !== null && 'id' in value && 'item' in value && 'operation' in value

/** A page whose held calls are older than this must have been closed, so another page sends them, ms. */
const leftAfterMs = 30_000

/** The held calls of one person; in a browser without storage, only those of this page. */
export class HeldCalls {
  readonly #agentId: string
  #ofThisPage: readonly HeldCall[] = []
  /** The ids of the calls that this page holds. */
  readonly #own = new Set<string>()
  readonly #sending = new Set<string>()

  constructor(agentId: string) {
    this.#agentId = agentId
  }

  #read(): readonly HeldCall[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(keyOf(this.#agentId)) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isCall) : []
    } catch {
      return this.#ofThisPage
    }
  }

  #keep(calls: readonly HeldCall[]): void {
    this.#ofThisPage = calls
    try {
      localStorage.setItem(keyOf(this.#agentId), JSON.stringify(calls))
    } catch {
      // The browser has no storage: the calls are kept as long as the page is open.
    }
    settled = new Set(calls.map(({ item }) => item))
    for (const listener of listeners) listener()
  }

  #without(id: string): readonly HeldCall[] {
    return this.#read().filter(call => call.id !== id)
  }

  /** Holds a call until it is sent or undone. */
  hold(call: HeldCall): void {
    this.#own.add(call.id)
    this.#keep([...this.#without(call.id), call])
  }

  /** Undoes a held call and restores its draft; false if it was already sent. */
  takeBack(call: HeldCall): boolean {
    if (this.#sending.has(call.id) || this.#without(call.id).length === this.#read().length) return false
    this.#giveBack(call)
    return true
  }

  #giveBack(call: HeldCall): void {
    if (call.draft !== null) new DraftPlace(this.#agentId, call.place ?? call.item).keep(call.draft)
    this.#keep(this.#without(call.id))
  }

  /** Sends a call; if it is refused, its draft is restored. */
  async send(call: HeldCall, { onDone, onRefused }: Outcome): Promise<void> {
    if (this.#sending.has(call.id)) return
    this.#sending.add(call.id)
    try {
      await onDone(await callHeld(call.operation, call.arguments, { idempotencyKey: call.id }))
      this.#keep(this.#without(call.id))
    } catch (error) {
      this.#giveBack(call)
      onRefused(error)
    } finally {
      this.#sending.delete(call.id)
    }
  }

  /** Sends the calls that this page holds, because it is being left. */
  sendOwn(outcome: Outcome): void {
    for (const call of this.#read()) if (this.#own.has(call.id)) void this.send(call, outcome)
  }

  /** Sends the calls held by pages that were closed, once no other page can still hold them. */
  sendLeft(outcome: Outcome): void {
    const calls = this.#read()
    if (calls.length > 0) this.#keep(calls)
    for (const call of calls) {
      const isLeft = () => !this.#own.has(call.id) && this.#read().some(({ id }) => id === call.id)
      const sendIfLeft = () => {
        if (isLeft()) void this.send(call, outcome)
      }
      setTimeout(sendIfLeft, Math.max(0, call.at + leftAfterMs - Date.now()))
    }
  }
}

const ofAgents = new Map<string, HeldCalls>()

/** The held calls of a person. */
export function heldCallsOf(agentId: string): HeldCalls {
  const calls = ofAgents.get(agentId) ?? new HeldCalls(agentId)
  ofAgents.set(agentId, calls)
  return calls
}
