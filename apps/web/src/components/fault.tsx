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
  /** Whether it may be there when it is asked for again. */
  readonly isPassing: boolean
}

/** What stands where a page would be: what happened, in plain words, and the ways on. */
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

/** The kind of a fault; a script that is missing is one of an old version, or cannot be reached. */
function useFaultKind(error: unknown): FaultKind | undefined {
  const kind = faultOf(error)
  const isOutdated = useIsOutdated()
  useEffect(() => {
    if (kind === 'outdated') void scriptIsMissing()
  }, [kind])
  return kind === 'outdated' && !isOutdated ? 'unreachable' : kind
}

/** What stands where a page is being read, or could not be. */
export const NotRead = ({ error }: { readonly error: unknown }) =>
  error === null ? <p className="notice">{messages.shell.loading}</p> : <PageFault error={error} />

/** Says above every page that there is another version, once there is. */
export const Outdated = () =>
  useIsOutdated() && (
    <p className="banner row wrap" role="status">
      <span className="grow">{texts.leads.outdated}</span>
      <Reload />
    </p>
  )
