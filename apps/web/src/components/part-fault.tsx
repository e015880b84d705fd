import { useEffect } from 'react'
import { type FaultKind, faultOf } from '../data/fault.ts'
import { scriptIsMissing, useIsOutdated } from '../data/version.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.shell.fault

const reload = () => location.reload()

/** Loads the page anew. */
export const Reload = () => (
  <button type="button" className="button primary" onClick={reload}>
    {texts.reload}
  </button>
)

/** The kind of a fault; a missing script means an outdated version or an unreachable service. */
export function useFaultKind(error: unknown): FaultKind | undefined {
  const kind = faultOf(error)
  const isOutdated = useIsOutdated()
  useEffect(() => {
    if (kind === 'outdated') void scriptIsMissing()
  }, [kind])
  return kind === 'outdated' && !isOutdated ? 'unreachable' : kind
}

/** Why a script did not load: an outdated version, or an unreachable service. */
export function useScriptFault(error: unknown): { readonly isOutdated: boolean; readonly title: string } {
  const isOutdated = useFaultKind(error) === 'outdated'
  return { isOutdated, title: texts.titles[isOutdated ? 'outdated' : 'unreachable'] }
}

interface PartFaultProps {
  readonly error: unknown
  readonly onAgain: () => void
}

/** Shown in place of a part whose script did not load: the rest of the page stays, with what was typed in it. */
export function PartFault({ error, onAgain }: PartFaultProps) {
  const { isOutdated } = useScriptFault(error)
  return (
    <div className="refusal" role="alert">
      <p>{isOutdated ? texts.leads.outdated : texts.part}</p>
      <div className="row">
        {isOutdated ? (
          <Reload />
        ) : (
          <button type="button" className="button" onClick={onAgain}>
            {messages.shell.retry}
          </button>
        )}
      </div>
    </div>
  )
}
