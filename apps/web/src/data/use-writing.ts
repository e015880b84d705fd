import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DraftPlace, isFormDraft, isLike, useDraftPlace } from './drafts.ts'
import { writeOn } from './write-on.ts'

interface Writing<State, Written> {
  /** The key under which the form keeps its draft. */
  readonly draft: string
  /** Writes the form, conditional on the ETag. */
  readonly write: (changes: Written, state: State) => Promise<unknown>
  readonly read: () => State | Promise<State>
  /** Whether what the form writes is the same in both states. */
  readonly isSame: (now: State, before: State) => boolean
  readonly onWritten: () => void
}

/** The state that an abandoned edit began with. */
function keptFrom<State extends object>(place: DraftPlace, state: State): State | undefined {
  const stored = place.read()
  return isFormDraft(stored) && isLike(stored.from, state) ? stored.from : undefined
}

/**
 * Writes a form on top of the state that the edit began with, even if an abandoned edit is resumed.
 * @returns the mutation, which resolves to whether it was written; the state that the form writes on, for its draft;
 * what somebody else has written to the same fields since, which the next write replaces; and a function that starts
 * over
 */
export function useWriting<State extends { readonly tag: string }, Written>(
  from: State,
  { draft, write, read, isSame, onWritten }: Writing<State, Written>,
) {
  const place = useDraftPlace(draft)
  const [base, setBase] = useState(() => keptFrom(place, from) ?? from)
  const [theirs, setTheirs] = useState<State>()
  const saving = useMutation({
    mutationFn: async (changes: Written) => {
      const now = await writeOn(base, {
        write: state => write(changes, state),
        read: async () => read(),
        isSame: state => isSame(state, base),
      })
      if (now === undefined) {
        onWritten()
        return true
      }
      setBase(now)
      setTheirs(now)
      return false
    },
  })
  const restart = () => {
    setBase(from)
    setTheirs(undefined)
  }
  return { saving, base, theirs, restart }
}
