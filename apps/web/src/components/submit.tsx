import type { ReactNode } from 'react'
import { Failure } from './refusal.tsx'

/** The end of a form: why it was refused, and the button that sends it. */
export const Submit = ({
  sending,
  children,
}: {
  readonly sending: { readonly error: unknown; readonly isPending: boolean }
  readonly children: ReactNode
}) => (
  <>
    <Failure error={sending.error} />
    <div className="row">
      <button type="submit" className="button primary" disabled={sending.isPending}>
        {children}
      </button>
    </div>
  </>
)
