import { Link } from 'wouter'
import { useIsOutdated } from '../data/version.ts'
import { messages } from '../messages/messages.ts'
import { part } from './part.tsx'
import { Reload, useFaultKind } from './part-fault.tsx'
import { Failure } from './refusal.tsx'

const texts = messages.shell.fault

/** Most pages are never gone: what shows the drafts then is loaded when it is needed. */
const Unsent = part(
  () => import('./unsent.tsx'),
  () => null,
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
    {!isPassing && <Unsent />}
  </div>
)

/** Shown in a drawer in place of a record that is gone. */
export const Gone = () => (
  <div className="notice stack" role="alert">
    <h3>{texts.titles.gone}</h3>
    <p>{texts.leads.gone}</p>
    <Unsent />
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
