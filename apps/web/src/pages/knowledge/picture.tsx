import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '../../components/icon.tsx'
import { messages } from '../../messages/messages.ts'
import type { ExplorerLayout, PlacedNode } from './explorer-layout.ts'
import { addressOfNode, connection } from './parts.tsx'
import '../../components/graph-lines.css'

const texts = messages.knowledge

/** px */
const lineHeight = 64
const nodeHeight = 52
const columnWidth = 300
const nodeWidth = 264

interface PictureProps {
  readonly boardKey: string
  readonly layout: ExplorerLayout
  /** The nodes and edges of a path, which stand out. */
  readonly path: ReadonlySet<string>
  readonly onToggle: (id: string) => void
  readonly onCenter: (id: string) => void
  readonly onPath: (id: string) => void
}

/** Nodes in columns around the centre, with lines between connected ones. */
export function Picture({ boardKey, layout, path, onToggle, onCenter, onPath }: PictureProps) {
  const { placed, others, lines, left, right } = layout
  const leftOf = ({ side, level }: PlacedNode): number => (side === 'left' ? left - level : left + level) * columnWidth
  const scroller = useRef<HTMLElement>(null)
  const middleId = placed[0]?.node.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new middle is shown; what opens around it moves nothing
  useEffect(() => {
    const element = scroller.current!
    element.scrollTo({ left: left * columnWidth - (element.clientWidth - nodeWidth) / 2 })
  }, [middleId])
  const ends = (a: PlacedNode, b: PlacedNode) => {
    const [from, to] = leftOf(a) <= leftOf(b) ? [a, b] : [b, a]
    const isBeside = leftOf(from) === leftOf(to)
    return {
      x1: leftOf(from) + (isBeside ? 0 : nodeWidth),
      y1: middleOf(from),
      x2: leftOf(to),
      y2: middleOf(to),
      isBeside,
    }
  }
  /** Right angles, so that lines from one node overlap. */
  const way = (a: PlacedNode, b: PlacedNode): string => {
    const { x1, y1, x2, y2 } = ends(a, b)
    return `M${x1} ${y1}H${(x1 + x2) / 2}V${y2}H${x2}`
  }
  const curve = (a: PlacedNode, b: PlacedNode): string => {
    const { x1, y1, x2, y2, isBeside } = ends(a, b)
    const bend = isBeside ? -24 : (x2 - x1) / 2
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - Math.abs(bend)} ${y2} ${x2} ${y2}`
  }
  const reached = placed.flatMap(own =>
    own.parent === undefined || own.via === undefined ? [] : [{ own, parent: own.parent, via: own.via.id }],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section ref={scroller} className="knowledge-picture" aria-label={texts.parts.graph} tabIndex={0}>
      <div style={{ width: (left + right + 1) * columnWidth, height: lines * lineHeight }}>
        <svg aria-hidden="true" className="graph-lines" height={lines * lineHeight}>
          <path className="other" d={others.map(([from, to]) => curve(from, to)).join('')} />
          <path d={reached.map(({ own, parent }) => way(parent, own)).join('')} />
          {path.size > 0 && (
            <path
              className="on-path"
              d={[
                ...others.filter(([, , { id }]) => path.has(id)).map(([from, to]) => curve(from, to)),
                ...reached.filter(({ via }) => path.has(via)).map(({ own, parent }) => way(parent, own)),
              ].join('')}
            />
          )}
        </svg>
        <ul className="plain">
          {placed.map(own => (
            <li
              key={own.node.id}
              className={`knowledge-node ${own.side}${path.has(own.node.id) ? ' on-path' : ''}`}
              style={{ left: leftOf(own), top: own.line * lineHeight, width: nodeWidth, height: nodeHeight }}
            >
              <span className="row knowledge-node-head">
                <span className="truncate grow">{headOf(own)}</span>
                {own.side !== 'middle' && (
                  <>
                    <NodeButton
                      icon="branch"
                      label={texts.path.to(own.node.title)}
                      onClick={() => onPath(own.node.id)}
                    />
                    <NodeButton
                      icon="target"
                      label={texts.graph.center(own.node.title)}
                      onClick={() => onCenter(own.node.id)}
                    />
                    <NodeButton
                      icon={own.isOpen ? 'close' : 'plus'}
                      size={12}
                      label={(own.isOpen ? texts.graph.collapse : texts.graph.expand)(own.node.title)}
                      isOpen={own.isOpen}
                      onClick={() => onToggle(own.node.id)}
                    />
                  </>
                )}
              </span>
              <Link className="truncate" href={addressOfNode(boardKey, own.node.id)} title={own.node.title} dir="auto">
                {own.node.title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

const middleOf = ({ line }: PlacedNode): number => line * lineHeight + nodeHeight / 2

/** How a node is connected to the previous one, and its type. */
function headOf({ via, node }: PlacedNode): string {
  const type = texts.types[node.node_type]
  return via === undefined ? type : `${connection(via, node)} ${type}`
}

interface NodeButtonProps {
  readonly icon: IconName
  readonly size?: number
  readonly label: string
  /** Whether it is expanded; undefined if it cannot be expanded. */
  readonly isOpen?: boolean
  readonly onClick: () => void
}

/** A button on a node of the picture. */
const NodeButton = ({ icon, size = 14, label, isOpen, onClick }: NodeButtonProps) => (
  <button
    type="button"
    className="icon-button"
    aria-expanded={isOpen}
    aria-label={label}
    title={label}
    onClick={onClick}
  >
    <Icon name={icon} size={size} />
  </button>
)
