import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Figure } from '../../charts/figure.tsx'
import { Grid } from '../../charts/grid.tsx'
import { ticksTo, useWidth } from '../../charts/measured.ts'
import { useNow } from '../../components/time.tsx'
import { type CardStatus, type CardSummary, useCards } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.analytics.ageing

/** The columns of work under way. */
const statuses = ['started', 'in_progress', 'validation', 'on_hold'] as const satisfies readonly CardStatus[]

const dayMs = 86_400_000
const height = 168
const top = 10
const left = 28
const foot = 24

interface AgeingProps {
  readonly boardId: string
  readonly boardKey: string
}

/** How long each started card has been in its column: one mark per card, linked to the card. */
export function Ageing({ boardId, boardKey }: AgeingProps) {
  const { data } = useCards(boardId)
  const now = useNow()
  const marks = (data ?? [])
    .filter(({ status }) => statuses.some(column => column === status))
    .map(card => ({ card, days: Math.max(0, (now - Date.parse(card.moved_at)) / dayMs) }))
    .toSorted((a, b) => b.days - a.days)
  if (marks.length === 0) return null
  return (
    <Figure
      title={texts.title}
      lead={texts.lead}
      file="ageing"
      isDrawn
      chart={<Marks marks={marks} boardKey={boardKey} />}
      rows={marks}
      keyOf={({ card }) => card.id}
      columns={[
        {
          label: texts.card,
          cell: ({ card }) => (
            <Link href={addressOfCard(boardKey, card.ref)} dir="auto">
              {card.title}
            </Link>
          ),
          text: ({ card }) => `${card.ref} ${card.title}`,
        },
        { label: messages.card.status, cell: ({ card }) => messages.board.statuses[card.status] },
        { label: texts.since, isNumber: true, cell: ({ days }) => messages.analytics.duration(days * 24) },
      ]}
    />
  )
}

interface Mark {
  readonly card: CardSummary
  readonly days: number
}

function Marks({ marks, boardKey }: { readonly marks: readonly Mark[]; readonly boardKey: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [hovered, setHovered] = useState<Mark>()
  const ticks = ticksTo(Math.max(...marks.map(({ days }) => days)))
  const max = ticks.at(-1)!
  const y = (days: number): number => top + height - (days / max) * height
  const slot = Math.max(0, width - left) / statuses.length
  return (
    <div ref={frame} className="plot">
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
        <svg width={width} height={top + height + foot} role="group" aria-label={texts.title}>
          <Grid ticks={ticks} y={y} left={left} width={width} />
          {statuses.map((status, column) => {
            const here = marks.filter(({ card }) => card.status === status)
            return (
              <g key={status}>
                {here.map((mark, place) => (
                  <Link
                    key={mark.card.id}
                    href={addressOfCard(boardKey, mark.card.ref)}
                    aria-label={texts.mark(mark.card.ref, mark.card.title, messages.analytics.duration(mark.days * 24))}
                    className="plot-mark"
                    onPointerEnter={() => setHovered(mark)}
                    onPointerLeave={() => setHovered(undefined)}
                    onFocus={() => setHovered(mark)}
                    onBlur={() => setHovered(undefined)}
                  >
                    <circle
                      className={`age-mark ${status}`}
                      cx={left + slot * column + (slot * (place + 1)) / (here.length + 1)}
                      cy={y(mark.days)}
                      r="5"
                    />
                  </Link>
                ))}
                <text x={left + slot * (column + 0.5)} y={top + height + 18} textAnchor="middle">
                  {messages.board.statuses[status]}
                </text>
              </g>
            )
          })}
        </svg>
      )}
      <p className="legend">
        {hovered === undefined ? (
          texts.hint
        ) : (
          <>
            <span className="ref">{hovered.card.ref}</span> <bdi>{hovered.card.title}</bdi>{' '}
            <strong className="numbers">{messages.analytics.duration(hovered.days * 24)}</strong>
          </>
        )}
      </p>
    </div>
  )
}
