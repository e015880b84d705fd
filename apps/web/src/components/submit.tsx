import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { Guards } from './guarded.tsx'
import { Failure } from './refusal.tsx'

interface SubmitProps extends Guards {
  readonly sending: { readonly error: unknown; readonly isPending: boolean }
  readonly children: ReactNode
}

/** The end of a form: why it was refused, and the submit button. */
export const Submit = ({ sending, needs, allowed, children }: SubmitProps) => (
  <>
    <Failure error={sending.error} />
    <div className="row">
      <Button type="submit" className="button primary" needs={needs} allowed={allowed} disabled={sending.isPending}>
        {children}
      </Button>
    </div>
  </>
)
