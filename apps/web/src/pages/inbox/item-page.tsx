import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useParams } from 'wouter'
import { NotRead } from '../../components/fault.tsx'
import { markRead, useInboxItem } from '../../data/inbox.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import { InboxEntry } from './entry.tsx'
import { Settled } from './settled.tsx'
import './inbox.css'

const texts = messages.inbox

/** The page of one inbox item, which notifications link to (people 5.5). */
export default function InboxItemPage() {
  const { item: id = '' } = useParams()
  const { data: item, error } = useInboxItem(decodeURIComponent(id))
  const entry = useRef<HTMLDivElement>(null)
  const isThere = item !== undefined && item !== null
  const queries = useQueryClient()
  const itemId = item?.id
  useEffect(() => {
    if (itemId !== undefined) void markRead(queries, [itemId], true)
  }, [queries, itemId])
  useEffect(() => {
    if (isThere)
      entry.current?.querySelector<HTMLElement>('.entry-settle :is(textarea, input, button, a.button)')?.focus()
  }, [isThere])
  if (item === undefined) return <NotRead error={error} />
  return (
    <MoveProvider>
      <div className="page inbox-item">
        <h1>{item === null ? texts.title : texts.one[item.kind]}</h1>
        {item === null ? (
          <Settled item={decodeURIComponent(id)} />
        ) : (
          <div ref={entry}>
            <InboxEntry item={item} />
          </div>
        )}
        <p>
          <Link href="/">{texts.all}</Link>
        </p>
      </div>
    </MoveProvider>
  )
}
