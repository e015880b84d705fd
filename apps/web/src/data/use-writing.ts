import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { writeOn } from './write-on.ts'

interface Writing<State, Written> {
  /** Writes what the form says, on the state that the tag names. */
  readonly write: (written: Written, ifMatch: string) => Promise<unknown>
  readonly read: () => State | Promise<State>
  /** Whether what the form writes is in both states the same. */
  readonly isSame: (now: State, before: State) => boolean
  readonly onWritten: () => void
}

/**
 * Writes a form on the state that it began from.
 * @returns the writing, and what somebody else made of the same fields meanwhile: the next writing is on top of that
 */
export function useWriting<State extends { readonly tag: string }, Written>(
  from: State,
  { write, read, isSame, onWritten }: Writing<State, Written>,
) {
  const [base, setBase] = useState(from)
  const saving = useMutation({
    mutationFn: async (written: Written) => {
      const theirs = await writeOn(base, {
        write: ({ tag }) => write(written, tag),
        read: async () => read(),
        isSame: now => isSame(now, base),
      })
      if (theirs === undefined) onWritten()
      else setBase(theirs)
    },
  })
  return { saving, theirs: base === from ? undefined : base }
}
