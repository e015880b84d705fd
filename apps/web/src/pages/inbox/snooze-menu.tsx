import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../../components/icon.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { opening } from '../../components/part.tsx'
import { dayHere, midnightOf } from '../../components/typed-day.ts'
import type { Snooze } from '../../data/inbox.ts'
import { messages } from '../../messages/messages.ts'
import { futureTime } from './future-time.ts'
import { morningOf, snoozeTimes } from './snooze-times.ts'

const CalendarPopover = opening(() => import('../../components/calendar-popover.tsx'))

const texts = messages.inbox.snooze

/** The last day that the service accepts: one year from now. */
function lastDay(now: Date): string {
  const at = new Date(now)
  at.setFullYear(at.getFullYear() + 1)
  return dayHere(at)
}

interface SnoozeMenuProps {
  readonly anchor: HTMLElement
  readonly onSnooze: (snooze: Snooze) => void
  readonly onClose: () => void
}

/**
 * The menu for how long an item is snoozed: until an offered time, until a chosen day, or until somebody else changes
 * its record.
 */
export default function SnoozeMenu({ anchor, onSnooze, onClose }: SnoozeMenuProps) {
  const [, navigate] = useLocation()
  const [isChoosing, setChoosing] = useState(false)
  const [now] = useState(() => new Date())
  const until = (at: Date) => {
    onClose()
    onSnooze({ until: at.toISOString(), until_change: false })
  }
  if (isChoosing)
    return (
      <CalendarPopover
        label={texts.day}
        anchor={anchor}
        at={anchor}
        day=""
        range={{ min: dayHere(now), max: lastDay(now) }}
        onChoose={day => until(morningOf(midnightOf(day), new Date()))}
        onClose={onClose}
      />
    )
  return (
    <Menu label={texts.label} anchor={anchor} onClose={onClose}>
      {snoozeTimes(now).map(({ name, at }) => (
        <MenuItem key={name} onSelect={() => until(at)}>
          <Choice says={texts.times[name]}>{futureTime(at, now)}</Choice>
        </MenuItem>
      ))}
      <MenuItem onSelect={() => setChoosing(true)}>
        <Choice says={texts.chooseDay}>
          <Icon name="calendar" size={14} />
        </Choice>
      </MenuItem>
      <MenuItem
        onSelect={() => {
          onClose()
          onSnooze({ until: null, until_change: true })
        }}
      >
        {texts.change}
      </MenuItem>
      <hr className="menu-line" />
      <MenuItem
        onSelect={() => {
          onClose()
          navigate('/me/notifications')
        }}
      >
        {texts.mute}
      </MenuItem>
    </Menu>
  )
}

const Choice = ({ says, children }: { readonly says: string; readonly children: ReactNode }) => (
  <>
    <span className="grow">{says}</span>
    <span className="muted numbers">{children}</span>
  </>
)
