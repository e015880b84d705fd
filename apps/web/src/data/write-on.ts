import { ClientError } from '@specboard/client/calls'

interface Writing<State> {
  /** Writes on a state of the record, named by its tag. */
  write(state: State): Promise<unknown>
  /** Reads the state of now. */
  read(): Promise<State>
  /** Whether what is written is in that state what it was when the edit began. */
  isSame(now: State): boolean
}

/**
 * Writes on the state that an edit began from; where only something else changed meanwhile, on the present one.
 * @returns the present state where somebody else changed the same thing: nothing is written then
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
