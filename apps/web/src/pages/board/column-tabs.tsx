import { type RefObject, useEffect, useRef, useState } from 'react'
import { StatusSign } from '../../components/status.tsx'
import { useStrip } from '../../components/strip.ts'
import { type CardStatus, cardStatuses } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { ColumnCount } from './column-limit.tsx'
import { registerTouchTarget } from './drop-targets.ts'

interface ColumnTabsProps {
  readonly root: RefObject<HTMLElement | null>
  readonly counts: ReadonlyMap<CardStatus, number>
}

const texts = messages.board

/**
 * The columns on a phone, as tabs with icons and card counts: one column is shown at a time, and a swipe leads to the
 * next.
 */
export function ColumnTabs({ root, counts }: ColumnTabsProps) {
  const [current, setCurrent] = useState<CardStatus>('not_started')
  const strip = useRef<HTMLElement>(null)
  useStrip(strip, current)
  const columnOf = (status: CardStatus) =>
    root.current?.querySelector(`[data-column="${status}"]`)?.closest<HTMLElement>('.column') ?? undefined
  useEffect(() => {
    const page = root.current
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof HTMLElement && target.matches('.lanes'))) return
      const middle = target.getBoundingClientRect().left + target.clientWidth / 2
      const at = [...target.querySelectorAll<HTMLElement>('.column')].find(column => {
        const { left, right } = column.getBoundingClientRect()
        return left <= middle && right >= middle
      })
      const status = at?.querySelector<HTMLElement>('[data-column]')?.dataset.column
      setCurrent(before => cardStatuses.find(candidate => candidate === status) ?? before)
    }
    // Captured on the page, because the columns are rendered again when they are read, and scroll events do not bubble.
    page?.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => page?.removeEventListener('scroll', onScroll, { capture: true })
  }, [root])
  return (
    <nav ref={strip} className="column-tabs" aria-label={texts.display.columns}>
      {cardStatuses.map(status => (
        <Tab
          key={status}
          status={status}
          count={counts.get(status) ?? 0}
          isShown={status === current}
          onShow={() => columnOf(status)?.scrollIntoView({ inline: 'center', block: 'nearest' })}
        />
      ))}
    </nav>
  )
}

interface TabProps {
  readonly status: CardStatus
  readonly count: number
  readonly isShown: boolean
  readonly onShow: () => void
}

/** How long a card is held over the tab of a column until that column is shown, ms. */
const showMs = 500

/**
 * The tab of a column: a tap shows the column, and so does a card held over it; a card dropped on it is added at the
 * end.
 */
function Tab({ status, count, isShown, onShow }: TabProps) {
  const tab = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    let showing: ReturnType<typeof setTimeout> | undefined
    return registerTouchTarget(tab.current!, {
      column: { kind: 'column', status, cards: [], element: null },
      enter: () => {
        showing = setTimeout(() => tab.current?.click(), showMs)
      },
      over: () => {},
      leave: () => clearTimeout(showing),
    })
  }, [status])
  return (
    <button
      ref={tab}
      type="button"
      className="column-tab"
      title={texts.statuses[status]}
      aria-current={isShown ? 'true' : undefined}
      onClick={onShow}
    >
      <StatusSign status={status} />
      <span className={isShown ? '' : 'hidden'}>{texts.statuses[status]}</span>
      <ColumnCount status={status} count={count} />
    </button>
  )
}
