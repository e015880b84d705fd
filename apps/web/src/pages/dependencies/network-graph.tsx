import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { ArrowHeads, LegendLine } from '../../components/arrow-heads.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { useKeys } from '../../components/keyboard.ts'
import { useIsNarrow } from '../../components/narrow.ts'
import { StatusSign } from '../../components/status.tsx'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { layoutOf, type NetworkLayout, nodeSize, pathOf } from './layout.ts'
import { chainOf, type LinkedCard, type Network } from './network.ts'

const texts = messages.dependencies

/** How large the drawing is shown. */
const scales = [0.5, 0.65, 0.8, 1, 1.25] as const
const usualScale = scales.indexOf(1)

interface NetworkGraphProps {
  readonly network: Network
  readonly boardKey: string
}

/**
 * A network as a drawing, in which each card is before those that wait for it. One card at a time has the focus; arrow
 * keys follow the lines, or go to the card above or below.
 */
export function NetworkGraph({ network, boardKey }: NetworkGraphProps) {
  const layout = useMemo(() => layoutOf(network), [network])
  const root = useRef<HTMLUListElement>(null)
  const [scale, setScale] = useState(usualScale)
  const isNarrow = useIsNarrow()
  const [activeId, setActive] = useState<string>()
  const [lookedId, setLooked] = useState<string>()
  const first = network.criticalPath[0] ?? network.cards.keys().next().value!
  const active = activeId !== undefined && network.cards.has(activeId) ? activeId : first
  const chain = useMemo(
    () => (lookedId === undefined || !network.cards.has(lookedId) ? undefined : chainOf(network, lookedId)),
    [network, lookedId],
  )
  const go = (id: string | undefined) => {
    if (id === undefined) return
    setActive(id)
    root.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`)?.focus()
  }
  useKeys([{ keys: 'c', says: texts.keys.critical, place: 'here', run: () => go(first) }])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepOf(event.key, network, layout, active)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    go(next)
  }
  const factor = scales[scale]!
  return (
    <section className="network" aria-label={texts.graph}>
      <div className="network-tools">
        {!isNarrow && <Legend />}
        <span className="grow" />
        <IconButton icon="minus" label={texts.zoomOut} disabled={scale === 0} onClick={() => setScale(scale - 1)} />
        <span className="numbers network-scale">{number(Math.round(factor * 100))} %</span>
        <IconButton
          icon="plus"
          label={texts.zoomIn}
          disabled={scale === scales.length - 1}
          onClick={() => setScale(scale + 1)}
        />
      </div>
      <div className="network-scroll">
        <div style={{ width: layout.width * factor, height: layout.height * factor }}>
          <div
            className="network-canvas"
            style={{ width: layout.width, height: layout.height, transform: `scale(${factor})` }}
          >
            <Lines layout={layout} network={network} chain={chain} />
            <ul ref={root} className="plain" aria-label={texts.graphHint}>
              {[...network.cards.values()].map(linked => (
                <Node
                  key={linked.card.id}
                  linked={linked}
                  boardKey={boardKey}
                  place={layout.places.get(linked.card.id)!}
                  isActive={linked.card.id === active}
                  isAside={chain !== undefined && !chain.has(linked.card.id)}
                  onKeyDown={onKeyDown}
                  onActive={() => setActive(linked.card.id)}
                  onLook={isLooked => setLooked(isLooked ? linked.card.id : undefined)}
                />
              ))}
            </ul>
          </div>
        </div>
      </div>
      {isNarrow && <Legend />}
    </section>
  )
}

/** The card that an arrow leads to: along a line, or the nearest one above or below. */
function stepOf(key: string, { cards }: Network, { places }: NetworkLayout, active: string): string | undefined {
  const { waitsFor, waiting } = cards.get(active)!
  const place = places.get(active)!
  const nearest = (ids: Iterable<string>) =>
    [...ids].toSorted((a, b) => distance(places.get(a)!, place) - distance(places.get(b)!, place))[0]
  if (key === 'ArrowLeft') return nearest(waitsFor)
  if (key === 'ArrowRight') return nearest(waiting)
  const side = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  if (side === 0) return undefined
  return nearest([...cards.keys()].filter(id => (places.get(id)!.y - place.y) * side > 0))
}

/** A card straight below counts as nearer than one to the side. */
const distance = (a: { readonly x: number; readonly y: number }, b: { readonly x: number; readonly y: number }) =>
  Math.abs(a.x - b.x) * 2 + Math.abs(a.y - b.y)

interface LinesProps {
  readonly layout: NetworkLayout
  readonly network: Network
  readonly chain: ReadonlySet<string> | undefined
}

/** The lines: those of the critical path above the others. */
function Lines({ layout: { links, width, height }, network, chain }: LinesProps) {
  const steps = new Set(network.criticalPath.slice(1).map((id, index) => `${network.criticalPath[index]} ${id}`))
  const kindOf = (from: string, to: string) => {
    if (chain !== undefined && !(chain.has(from) && chain.has(to))) return 'aside'
    return steps.has(`${from} ${to}`) ? 'critical' : 'plain'
  }
  return (
    <svg className="network-lines" width={width} height={height} aria-hidden="true">
      <ArrowHeads prefix="arrow" kinds={lineKinds} size={9} units="userSpaceOnUse" />
      {lineKinds.map(kind =>
        links
          .filter(({ from, to }) => kindOf(from, to) === kind)
          .map(({ from, to, points }) => (
            <path key={`${from} ${to}`} className={kind} d={pathOf(points)} markerEnd={`url(#arrow-${kind})`} />
          )),
      )}
    </svg>
  )
}

/** The kinds in the order in which they are drawn. */
const lineKinds = ['aside', 'plain', 'critical'] as const

interface NodeProps {
  readonly linked: LinkedCard
  readonly boardKey: string
  readonly place: { readonly x: number; readonly y: number }
  readonly isActive: boolean
  /** Whether it is unrelated to the selected card. */
  readonly isAside: boolean
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onActive: () => void
  readonly onLook: (isLooked: boolean) => void
}

function Node({ linked, boardKey, place, isActive, isAside, onKeyDown, onActive, onLook }: NodeProps) {
  const { card, waitsFor, holdsUp, isCritical, isOutside } = linked
  const says = [
    messages.board.statuses[card.status],
    ...(waitsFor.length > 0 ? [texts.waitsFor(waitsFor.length)] : []),
    ...(holdsUp > 0 ? [texts.blocks(holdsUp)] : []),
    ...(isCritical ? [texts.onPath] : []),
    ...(isOutside ? [texts.outside] : []),
  ]
  const classes = ['network-node', isCritical && 'critical', isOutside && 'outside', isAside && 'aside']
  return (
    <li style={{ left: place.x, top: place.y, width: nodeSize.width, height: nodeSize.height }}>
      <Link
        className={classes.filter(Boolean).join(' ')}
        href={addressOfCard(boardKey, card.ref)}
        data-card={card.id}
        tabIndex={isActive ? 0 : -1}
        title={card.title}
        onKeyDown={onKeyDown}
        onFocus={() => {
          onActive()
          onLook(true)
        }}
        onBlur={() => onLook(false)}
        onPointerEnter={() => onLook(true)}
        onPointerLeave={() => onLook(false)}
      >
        <span className="network-head">
          <StatusSign status={card.status} />
          <span className="ref grow">{card.ref}</span>
          {holdsUp > 0 && (
            // The name says it in words.
            <span className="network-count numbers" aria-hidden="true">
              {holdsUp}
            </span>
          )}
        </span>{' '}
        <bdi className="network-name">{card.title}</bdi>
        <span className="hidden">, {says.join(', ')}</span>
      </Link>
    </li>
  )
}

const Legend = () => (
  <ul className="plain network-legend">
    <li>
      <LegendLine kind="critical" />
      {texts.legend.critical}
    </li>
    <li>
      <LegendLine kind="plain" />
      {texts.legend.waits}
    </li>
    <li>
      <span className="network-count numbers">3</span>
      {texts.blocks(3)}
    </li>
  </ul>
)
