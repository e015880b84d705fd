import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { opening } from '../../components/part.tsx'
import { exactTime, useNow } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { type InboxItem, markRead, type Snooze, snoozeItems } from '../../data/inbox.ts'
import { refusalOf } from '../../data/refusal.ts'
import { messages } from '../../messages/messages.ts'
import { futureTime } from './future-time.ts'

const SnoozeMenu = opening(() => import('./snooze-menu.tsx'))

const texts = messages.inbox

/** Whether an item is snoozed. */
export const isSnoozed = ({ snoozed_until, until_change }: InboxItem): boolean =>
  (snoozed_until ?? null) !== null || until_change === true

/** How long an item is snoozed, in words. */
const untilOf = ({ until }: Snooze): string =>
  until === null ? texts.snooze.untilChange : texts.snooze.until(futureTime(new Date(until), new Date()))

/** The actions on an item in addition to settling it: snooze it, or mark it as unread. */
export function EntryActions({ item }: { readonly item: InboxItem }) {
  const queries = useQueryClient()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const snooze = async (until: Snooze | null) => {
    try {
      await snoozeItems(queries, [item.id], until)
      const takeBack = () => snoozeItems(queries, [item.id], null)
      toast(until === null ? texts.snooze.isBack : untilOf(until), until === null ? undefined : takeBack)
    } catch (error) {
      toast(refusalOf(error).message)
    }
  }
  return (
    <>
      {isSnoozed(item) ? (
        <button type="button" className="button quiet" onClick={() => void snooze(null)}>
          {texts.snooze.wake}
        </button>
      ) : (
        <IconButton
          icon="mail"
          label={item.unread === true ? texts.unread.mark.read : texts.unread.mark.unread}
          title={item.unread === true ? texts.unread.mark.read : texts.unread.mark.unread}
          data-marks
          onClick={() => void markRead(queries, [item.id], item.unread === true)}
        />
      )}
      <IconButton
        icon="clock"
        label={texts.snooze.label}
        title={texts.snooze.label}
        aria-haspopup="menu"
        data-snoozes
        onPointerEnter={() => void SnoozeMenu.load()}
        onClick={event => setAnchor(event.currentTarget)}
      />
      {anchor !== undefined && (
        <SnoozeMenu anchor={anchor} onSnooze={until => void snooze(until)} onClose={() => setAnchor(undefined)} />
      )}
    </>
  )
}

/** How long an item is snoozed, shown next to it. */
export function SnoozedUntil({ item: { snoozed_until: until } }: { readonly item: InboxItem }) {
  const now = useNow()
  if (until == null) return <span>{texts.snooze.onChange}</span>
  return (
    <span title={exactTime(until)}>
      {texts.until} <time dateTime={until}>{futureTime(new Date(until), new Date(now))}</time>
    </span>
  )
}
