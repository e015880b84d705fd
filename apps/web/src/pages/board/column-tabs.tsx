import { type RefObject, useEffect, useState } from 'react'
import { StatusSign } from '../../components/status.tsx'
import { type CardStatus, cardStatuses } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

interface ColumnTabsProps {
  readonly root: RefObject<HTMLElement | null>
  readonly counts: ReadonlyMap<CardStatus, number>
}

const texts = messages.board

/** On a phone, the columns by their icons and numbers of cards: one is on the screen, a swipe leads to the next. */
export function ColumnTabs({ root, counts }: ColumnTabsProps) {
  const [shown, setShown] = useState<CardStatus>('not_started')
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
      setShown(before => cardStatuses.find(each => each === status) ?? before)
    }
    // The columns are rendered again when they are read; scroll events do not bubble.
    page?.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => page?.removeEventListener('scroll', onScroll, { capture: true })
  }, [root])
  return (
    <nav className="column-tabs" aria-label={texts.display.columns}>
      {cardStatuses.map(status => (
        <button
          key={status}
          type="button"
          className="column-tab"
          data-tab={status}
          title={texts.statuses[status]}
          aria-current={status === shown ? 'true' : undefined}
          onClick={() => columnOf(status)?.scrollIntoView({ inline: 'center', block: 'nearest' })}
        >
          <StatusSign status={status} />
          <span className={status === shown ? '' : 'hidden'}>{texts.statuses[status]}</span>
          <span className="numbers">{counts.get(status) ?? 0}</span>
        </button>
      ))}
    </nav>
  )
}
