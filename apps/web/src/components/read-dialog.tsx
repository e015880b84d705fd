import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Dialog } from './dialog.tsx'
import { Failure } from './refusal.tsx'

interface ReadDialogProps<State> {
  readonly title: string
  readonly kind?: 'dialog' | 'wide'
  /** Reads what is edited, each time that the dialog opens. */
  readonly read: () => State | Promise<State>
  readonly onClose: () => void
  readonly children: (from: State) => ReactNode
}

/** A dialog with a form of what is read when it opens; the initial values stay the same while somebody types. */
export function ReadDialog<State>({ title, kind = 'dialog', read, onClose, children }: ReadDialogProps<State>) {
  const { data, error } = useQuery({
    queryKey: ['edited', useId()],
    queryFn: read,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={title} kind={kind} onClose={onClose}>
      <Failure error={error} />
      {data !== undefined && children(data)}
    </Dialog>
  )
}
