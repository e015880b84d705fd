import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { keyOfRef, refOfAddress } from '../address.ts'
import { useBoardByKey } from '../data/boards.ts'
import { coverageOf } from '../data/coverage-query.ts'
import { useReference } from '../data/references.ts'
import { shownName } from '../data/shown-name.ts'
import { messages } from '../messages/messages.ts'
import { Icon } from './icon.tsx'
import { Person } from './person.tsx'
import { placeAt } from './place.ts'
import { recordIcons } from './record-icons.ts'
import { RecordStatus } from './record-status.tsx'
import { writtenTextSelector } from './references-in.ts'
import './reference-card.css'

interface ReferenceCardProps {
  readonly link: HTMLAnchorElement
  /** Called when no such record exists, or the person may not see it. */
  readonly onUnknown: () => void
}

type FoundRecord = NonNullable<ReturnType<typeof useReference>['data']>

/** What a link by reference leads to. A reference in a text that leads nowhere becomes plain text. */
export default function ReferenceCard({ link, onUnknown }: ReferenceCardProps) {
  const ref = decodeURIComponent(refOfAddress(link.pathname) ?? '')
  const board = useBoardByKey(keyOfRef(ref))
  const { data: found } = useReference(board?.id ?? '', board == null ? '' : ref)
  const isUnknown = board === null || found === null
  useEffect(() => {
    if (!isUnknown) return
    if (link.closest(writtenTextSelector) !== null) {
      // It keeps the focus, which would otherwise start over at the top of the page.
      link.tabIndex = -1
      link.removeAttribute('href')
    }
    onUnknown()
  }, [isUnknown, link, onUnknown])
  if (board == null || found == null) return null
  return <Shown link={link} found={found} boardId={board.id} />
}

interface ShownProps {
  readonly link: HTMLAnchorElement
  readonly found: FoundRecord
  readonly boardId: string
}

function Shown({ link, found, boardId }: ShownProps) {
  const element = useRef<HTMLDivElement>(null)
  const id = useId()
  const { entity_type, ref, title, status, assignee_name } = found
  useEffect(() => {
    const opened = element.current!
    opened.showPopover()
    const place = () => placeAt(opened, link)
    const resized = new ResizeObserver(place)
    resized.observe(opened)
    document.addEventListener('scroll', place, { capture: true, passive: true })
    link.setAttribute('aria-describedby', id)
    return () => {
      resized.disconnect()
      document.removeEventListener('scroll', place, { capture: true })
      link.removeAttribute('aria-describedby')
    }
  }, [link, id])
  // Elements outside an open dialog cannot be pointed at.
  return createPortal(
    <div ref={element} id={id} role="tooltip" popover="manual" className="reference-card stack">
      <p className="row muted">
        <Icon name={recordIcons[entity_type] ?? 'file'} size={14} />
        <span className="grow">{messages.shell.palette.kinds[entity_type]}</span>
        <span className="ref">{ref}</span>
      </p>
      <p className="reference-title" dir="auto">
        {title}
      </p>
      <p className="row wrap">
        <RecordStatus isCard={entity_type === 'card'} status={status} />
        {assignee_name !== null && <Person name={shownName(assignee_name)} />}
        {entity_type === 'spec' && <Coverage boardId={boardId} specId={found.id} />}
      </p>
    </div>,
    link.closest('dialog') ?? document.body,
  )
}

/** How far the acceptance criteria of a spec are covered; renders nothing if it has none. */
function Coverage({ boardId, specId }: { readonly boardId: string; readonly specId: string }) {
  const { data } = useQuery(coverageOf(boardId))
  const spec = data?.find(({ spec_id }) => spec_id === specId)
  if (spec === undefined || spec.total_ac === 0) return null
  return (
    <span className="row muted numbers">
      <progress aria-hidden="true" value={spec.covered_ac} max={spec.total_ac} />
      {messages.coverage.covered(spec.covered_ac, spec.total_ac)}
    </span>
  )
}
