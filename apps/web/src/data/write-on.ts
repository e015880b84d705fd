import { ClientError } from '@specboard/client/calls'

interface Writing<State> {
  /** Writes on a state of the record, identified by its ETag. */
  write(state: State): Promise<unknown>
  /** Reads the current state. */
  read(): Promise<State>
  /** Whether the fields being written are still as they were when the edit began. */
  isSame(now: State): boolean
}

/**
 * Writes on top of the state that the edit began with; if only other fields have changed since, on top of the current
 * state.
 * @returns the current state if somebody else changed the same fields; nothing is written then
 */
export async function writeOn<State>(state: State, writing: Writing<State>): Promise<State | undefined> {
  try {
    await writing.write(state)
    return undefined
  } catch (refused) {
    if (!(refused instanceof ClientError) || refused.status !== 412) throw refused
    const now = await writing.read()
    return writing.isSame(now) ? writeOn(now, writing) : now
  }
}
