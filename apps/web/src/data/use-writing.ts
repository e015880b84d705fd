import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DraftPlace, isFormDraft, isLike, useDraftPlace } from './drafts.ts'
import { writeOn } from './write-on.ts'

interface Writing<State, Written> {
  /** The name under which its form keeps what is typed. */
  readonly draft: string
  /** Writes what the form says, on the state that the tag names. */
  readonly write: (written: Written, state: State) => Promise<unknown>
  readonly read: () => State | Promise<State>
  /** Whether what the form writes is in both states the same. */
  readonly isSame: (now: State, before: State) => boolean
  readonly onWritten: () => void
}

/** What an edit that was left began from. */
function keptFrom<State extends object>(place: DraftPlace, state: State): State | undefined {
  const kept = place.read()
  return isFormDraft(kept) && isLike(kept.from, state) ? kept.from : undefined
}

/**
 * Writes a form on the state that it began from, also where it was left and is taken up again.
 * @returns the writing, which answers whether it was written; the state that the form writes on, for its draft; what
 * somebody else made of the same fields meanwhile: the next writing is on top of that; and what begins anew
 */
export function useWriting<State extends { readonly tag: string }, Written>(
  from: State,
  { draft, write, read, isSame, onWritten }: Writing<State, Written>,
) {
  const place = useDraftPlace(draft)
  const [base, setBase] = useState(() => keptFrom(place, from) ?? from)
  const [theirs, setTheirs] = useState<State>()
  const saving = useMutation({
    mutationFn: async (written: Written) => {
      const now = await writeOn(base, {
        write: state => write(written, state),
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
