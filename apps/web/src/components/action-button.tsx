import { useMutation } from '@tanstack/react-query'
import type { ButtonHTMLAttributes } from 'react'
import { Button } from './button.tsx'
import type { Guards } from './guarded.tsx'
import { Failure } from './refusal.tsx'

interface ActionButtonProps
  extends Guards,
    Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'className' | 'title' | 'disabled'> {
  readonly onAct: () => Promise<unknown>
}

/** A button that acts at once: disabled while it runs, and shows why it was refused. */
export function ActionButton({ onAct, disabled = false, ...button }: ActionButtonProps) {
  const acting = useMutation({ mutationFn: onAct })
  return (
    <>
      <Button {...button} disabled={disabled || acting.isPending} onClick={() => acting.mutate()} />
      <Failure error={acting.error} />
    </>
  )
}
