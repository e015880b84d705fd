import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { useChanged } from '../../data/changed.ts'
import type { LineageNode } from '../../data/lineage.ts'
import { messages } from '../../messages/messages.ts'
import { kindIcons, NodeState, stateWords } from './node-state.tsx'
import { type Fork, type Layout, layoutOf, type PlacedNode, stagesOf, type TreeNode } from './tree.ts'
import '../../components/graph-lines.css'

const texts = messages.lineage

/** In px: line height, distance between columns, node width, indentation on phones. */
const lineHeight = 58
const nodeHeight = 48
const columnWidth = 264
const nodeWidth = 236
const indent = 16

/** The address of a node's record, or of the spec that it is a part of. */
export function addressOfNode(node: LineageNode, parent: LineageNode | undefined): string | undefined {
  const target = node.ref === undefined ? parent : node
  if (target?.ref === undefined) return undefined
  return addressOfRecord(target.card_type === undefined ? target.entity_type : 'card', target.ref)
}

interface TreeViewProps {
  readonly trees: readonly TreeNode[]
  readonly isOpen: (tree: TreeNode) => boolean
  readonly chosenId: string | undefined
  readonly pathIds: ReadonlySet<string>
  readonly downstreamIds: ReadonlySet<string>
  readonly onToggle: (id: string) => void
  readonly onChoose: (node: LineageNode) => void
}

/**
 * The trees, of which only the lines on the screen are rendered. The tree has the focus; arrow keys move through its
 * nodes.
 */
export function TreeView({ trees, isOpen, chosenId, pathIds, downstreamIds, onToggle, onChoose }: TreeViewProps) {
  const isNarrow = useIsNarrow()
  const treeId = useId()
  const [, navigate] = useLocation()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState(chosenId)
  const layout = useMemo(() => layoutOf(trees, { isOpen, isNarrow }), [trees, isOpen, isNarrow])
  const stages = useMemo(() => stagesOf(trees), [trees])
  const width = Math.max(layout.columns, stages.length) * columnWidth
  const virtualizer = useVirtualizer({
    count: layout.lines,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 8,
  })
  const lines = virtualizer.getVirtualItems()
  const [first, last] = [lines[0]?.index ?? 0, lines.at(-1)?.index ?? -1]
  const at = layout.placed.findIndex(({ node }) => node.id === activeId)
  const active = layout.placed[Math.max(at, 0)]
  const visible = layout.placed.filter(placed => (placed.line >= first && placed.line <= last) || placed === active)

  const go = (to: PlacedNode): void => {
    setActiveId(to.node.id)
    virtualizer.scrollToIndex(to.line)
    // Its ancestors stay in view to its left.
    scroller.current?.scrollTo({ left: leftOf(to, isNarrow) - columnWidth })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown when it is chosen, not whenever it moves
  useEffect(() => {
    const chosen = layout.placed.find(({ node }) => node.id === chosenId)
    if (chosen !== undefined) go(chosen)
  }, [chosenId])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || active === undefined) return
    const next = stepOf(event.key, layout, active)
    if (next !== undefined) go(next)
    else if ((event.key === 'ArrowRight' && active.isOpen === false) || (event.key === 'ArrowLeft' && active.isOpen))
      onToggle(active.node.id)
    else if (event.key === ' ') onChoose(active.node)
    else if (event.key === 'Enter') {
      const address = addressOfNode(active.node, active.parent?.node)
      if (address !== undefined) navigate(address)
    } else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      className="lineage-scroll"
      role="tree"
      aria-label={texts.tree}
      tabIndex={0}
      aria-activedescendant={active === undefined ? undefined : `${treeId}-${active.node.id}`}
      onKeyDown={onKeyDown}
    >
      {!isNarrow && (
        <div className="lineage-stages" aria-hidden="true" style={{ width }}>
          {stages.map((stage, column) => (
            <span key={stage} style={{ left: column * columnWidth }}>
              {texts.stages[stage]}
            </span>
          ))}
        </div>
      )}
      <div
        className="lineage-canvas"
        style={{ height: virtualizer.getTotalSize(), width: isNarrow ? undefined : width }}
      >
        <Lines
          forks={layout.forks}
          first={first}
          last={last}
          isNarrow={isNarrow}
          isMarked={({ node }) => node.id === chosenId || pathIds.has(node.id) || downstreamIds.has(node.id)}
        />
        {visible.map(placed => (
          <NodeView
            key={placed.node.id}
            id={`${treeId}-${placed.node.id}`}
            placed={placed}
            isNarrow={isNarrow}
            isActive={placed === active}
            mark={markOf(placed.node.id, chosenId, pathIds, downstreamIds)}
            onToggle={() => onToggle(placed.node.id)}
            onChoose={() => onChoose(placed.node)}
          />
        ))}
      </div>
    </div>
  )
}

/** How a node relates to the selected one. */
type Mark = 'chosen' | 'above' | 'downstream' | 'aside' | 'none'

function markOf(
  id: string,
  chosenId: string | undefined,
  pathIds: ReadonlySet<string>,
  downstreamIds: ReadonlySet<string>,
): Mark {
  if (chosenId === undefined) return 'none'
  if (id === chosenId) return 'chosen'
  if (pathIds.has(id)) return 'above'
  return downstreamIds.has(id) ? 'downstream' : 'aside'
}

/** The node that a key leads to. */
function stepOf(key: string, { placed }: Layout, active: PlacedNode): PlacedNode | undefined {
  const at = placed.indexOf(active)
  if (key === 'ArrowDown') return placed[at + 1]
  if (key === 'ArrowUp') return placed[at - 1]
  if (key === 'Home') return placed[0]
  if (key === 'End') return placed.at(-1)
  if (key === 'ArrowRight' && active.isOpen === true) return placed[at + 1]
  if (key === 'ArrowLeft' && active.isOpen !== true) return active.parent
  return undefined
}

const leftOf = ({ column }: PlacedNode, isNarrow: boolean): number => column * (isNarrow ? indent : columnWidth)
const middleOf = ({ line }: PlacedNode): number => line * lineHeight + nodeHeight / 2

interface LinesProps {
  readonly forks: readonly Fork[]
  readonly first: number
  readonly last: number
  readonly isNarrow: boolean
  readonly isMarked: (placed: PlacedNode) => boolean
}

/** The lines from parents to children in the visible area. */
function Lines({ forks, first, last, isNarrow, isMarked }: LinesProps) {
  const crossing = forks.filter(({ from, to }) => from.line <= last && to.at(-1)!.line >= first)
  const top = first * lineHeight
  const height = Math.max(0, last - first + 1) * lineHeight
  const clipped = (y: number): number => Math.max(0, Math.min(height, y - top))
  const pathOf = (from: PlacedNode, child: PlacedNode): string => {
    const [x, y] = isNarrow ? [leftOf(from, true) + 8, nodeHeight / 2] : [leftOf(from, false) + nodeWidth, 0]
    const spine = isNarrow ? x : x + (columnWidth - nodeWidth) / 2
    return `M${x} ${clipped(middleOf(from) + y)}H${spine}V${clipped(middleOf(child))}H${leftOf(child, isNarrow)}`
  }
  const pathData = (marked: boolean): string =>
    crossing
      .flatMap(({ from, to }) =>
        to
          .filter(child => (child.line >= first && child.line <= last) || child === to.at(-1) || child === to[0])
          .filter(child => (isMarked(from) && isMarked(child)) === marked)
          .map(child => pathOf(from, child)),
      )
      .join('')
  return (
    <svg className="graph-lines" aria-hidden="true" height={height} style={{ top }}>
      <path d={pathData(false)} />
      <path d={pathData(true)} className="marked" />
    </svg>
  )
}

interface NodeViewProps {
  readonly id: string
  readonly placed: PlacedNode
  readonly isNarrow: boolean
  readonly isActive: boolean
  readonly mark: Mark
  readonly onToggle: () => void
  readonly onChoose: () => void
}

function NodeView({ id, placed, isNarrow, isActive, mark, onToggle, onChoose }: NodeViewProps) {
  const { node, isOpen, childCount, depth, position, siblings } = placed
  const isNew = useChanged(node.entity_id)
  const kind = texts.kinds[node.entity_type]
  const name = `${node.ref ?? kind} ${node.title}`
  const { total, done } = node.summary ?? { total: 0, done: 0 }
  const progress = total === 0 ? '' : texts.done(done, total)
  const address = addressOfNode(node, placed.parent?.node)
  const left = leftOf(placed, isNarrow)
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      // The visible content, in order, and the kind, which is shown as an icon.
      aria-label={[node.ref ?? kind, stateWords(node), node.title, progress, kind]
        .filter(word => word !== '')
        .join(' ')}
      aria-level={depth + 1}
      aria-setsize={siblings}
      aria-posinset={position}
      aria-selected={mark === 'chosen'}
      {...(isOpen !== undefined && { 'aria-expanded': isOpen })}
      className={['lineage-node', mark, isActive && 'active', isNew && 'changed', node.archived && 'archived']
        .filter(Boolean)
        .join(' ')}
      style={{
        top: placed.line * lineHeight,
        left,
        width: isNarrow ? `calc(100% - ${left}px)` : nodeWidth,
        height: nodeHeight,
      }}
    >
      <span className="row lineage-line">
        <Icon name={kindIcons[node.entity_type]} size={14} />
        {/* Spaces, because screen readers read the parts as one text. */}
        <span className="ref grow">{node.ref ?? kind}</span> <NodeState node={node} />{' '}
        <button
          type="button"
          className="icon-button"
          tabIndex={-1}
          aria-label={texts.select(name)}
          title={texts.select(name)}
          onClick={onChoose}
        >
          <Icon name="target" size={14} />
        </button>
        {isOpen !== undefined && (
          <button
            type="button"
            className="icon-button"
            tabIndex={-1}
            aria-label={isOpen ? texts.close(name) : texts.open(name)}
            data-count={isOpen ? undefined : childCount}
            onClick={onToggle}
          >
            <span className={isOpen ? 'chevron open' : 'chevron'}>
              <Icon name="chevron" size={12} />
            </span>
          </button>
        )}
      </span>
      <span className="row">
        {address === undefined ? (
          <span className="truncate grow" dir="auto">
            {node.title}
          </span>
        ) : (
          <Link className="truncate grow lineage-title" href={address} tabIndex={-1} title={node.title} dir="auto">
            {node.title}
          </Link>
        )}{' '}
        {progress !== '' && (
          <span className="ref" title={texts.doneOf(done, total)}>
            {progress}
          </span>
        )}
      </span>
    </div>
  )
}
