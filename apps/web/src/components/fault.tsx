import { useEffect } from 'react'
import { Link } from 'wouter'
import { type FaultKind, faultOf } from '../data/fault.ts'
import { scriptIsMissing, useIsOutdated } from '../data/version.ts'
import { messages } from '../messages/messages.ts'
import { Failure } from './refusal.tsx'

const texts = messages.shell.fault

const reload = () => location.reload()

const Reload = () => (
  <button type="button" className="button primary" onClick={reload}>
    {texts.reload}
  </button>
)

interface NoticeProps {
  readonly title: string
  readonly lead?: string
  /** Whether trying again may help. */
  readonly isPassing: boolean
}

/** Shown in place of a page: what happened, in plain words, and where to go next. */
export const Notice = ({ title, lead, isPassing }: NoticeProps) => (
  <div className="notice stack" role="alert">
    <h1>{title}</h1>
    {lead !== undefined && <p>{lead}</p>}
    <div className="row">
      {isPassing && <Reload />}
      <button type="button" className="button" onClick={() => history.back()}>
        {texts.back}
      </button>
      <Link className="button" href="/">
        {messages.shell.toInbox}
      </Link>
    </div>
  </div>
)

/** A page that could not be shown. */
export function PageFault({ error }: { readonly error: unknown }) {
  const kind = useFaultKind(error)
  if (kind === undefined)
    return (
      <div className="notice stack">
        <Failure error={error} />
        <div className="row">
          <Reload />
        </div>
      </div>
    )
  return <Notice title={texts.titles[kind]} lead={texts.leads[kind]} isPassing={kind !== 'gone'} />
}

/** The kind of a fault; a missing script means an outdated version or an unreachable service. */
function useFaultKind(error: unknown): FaultKind | undefined {
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

/** Shown while a page is being read, or when reading failed. */
export const NotRead = ({ error }: { readonly error: unknown }) =>
  error === null ? <p className="notice">{messages.shell.loading}</p> : <PageFault error={error} />

/** A notice above every page that a new version is available. */
export const Outdated = () =>
  useIsOutdated() && (
    <p className="banner row wrap" role="status">
      <span className="grow">{texts.leads.outdated}</span>
      <Reload />
    </p>
  )
