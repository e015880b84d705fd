import type { ReceivedAnswer } from './send.ts'
import type { Sender, Target } from './target.ts'

/** Sends one thing, once or in a crowd, with the key of a sender. */
export type Send = (target: Target, key: string | undefined) => Promise<ReceivedAnswer | readonly ReceivedAnswer[]>

/** One attack: who sends what, and what the service may answer. */
export interface Attack {
  readonly name: string
  /** The senders, each with the allowed statuses of its answers; for a tool, those of its result. */
  readonly answers: { readonly [By in Sender]?: readonly number[] }
  /** The variations to send, by name, one after the other. */
  readonly variations: Readonly<Record<string, Send>>
  /** A further check of all answers to a sender; returns what is wrong. */
  readonly holds?: (answers: readonly ReceivedAnswer[], target: Target) => string | undefined
  /** A check of what must still work after the attack, beyond the usual checks; returns what does not. */
  readonly afterwards?: (target: Target) => Promise<string | undefined>
  /** Whether authorized callers send bodies of megabytes, which may take longer to parse. */
  readonly sendsWholeBodies?: true
  /** Whether it takes too long for the short run. */
  readonly isLong?: true
  /** The engine that it is for; by default both. */
  readonly engine?: 'postgres'
}

/** Several callers at once, each doing the same. */
export const crowd = async (
  count: number,
  run: (index: number) => Promise<ReceivedAnswer | readonly ReceivedAnswer[]>,
): Promise<ReceivedAnswer[]> => (await Promise.all(Array.from({ length: count }, (_, index) => run(index)))).flat()

/** Runs calls one after the other; returns their answers. */
export async function inTurn(
  count: number,
  run: (index: number) => Promise<ReceivedAnswer>,
): Promise<ReceivedAnswer[]> {
  const answers: ReceivedAnswer[] = []
  for (let index = 0; index < count; index++) answers.push(await run(index))
  return answers
}

/** A variation for each of some values, named after it. */
export const each = <Value>(
  values: Readonly<Record<string, Value>>,
  send: (value: Value, target: Target, key: string | undefined) => Promise<ReceivedAnswer | readonly ReceivedAnswer[]>,
): Record<string, Send> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (target, key) => send(value, target, key)]))
