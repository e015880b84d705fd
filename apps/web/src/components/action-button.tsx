import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { Guards } from './guarded.tsx'
import { Failure } from './refusal.tsx'

interface ActionButtonProps extends Guards {
  readonly onAct: () => Promise<unknown>
  readonly children: ReactNode
  readonly isQuiet?: boolean
}

/** Does something at once: rests meanwhile, and says why it was refused. */
export function ActionButton({ onAct, children, isQuiet = false, needs, allowed }: ActionButtonProps) {
  const acting = useMutation({ mutationFn: onAct })
  return (
    <>
      <Button
        needs={needs}
        allowed={allowed}
        className={isQuiet ? 'button quiet' : 'button'}
        disabled={acting.isPending}
        onClick={() => acting.mutate()}
      >
        {children}
      </Button>
      <Failure error={acting.error} />
    </>
  )
}
