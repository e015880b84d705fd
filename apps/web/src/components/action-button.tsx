import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './refusal.tsx'

interface ActionButtonProps {
  readonly onAct: () => Promise<unknown>
  readonly children: ReactNode
  readonly isQuiet?: boolean
}

/** Does something at once: rests meanwhile, and says why it was refused. */
export function ActionButton({ onAct, children, isQuiet = false }: ActionButtonProps) {
  const acting = useMutation({ mutationFn: onAct })
  return (
    <>
      <button
        type="button"
        className={isQuiet ? 'button quiet' : 'button'}
        disabled={acting.isPending}
        onClick={() => acting.mutate()}
      >
        {children}
      </button>
      <Failure error={acting.error} />
    </>
  )
}
