import { useMemo, useRef, useState } from 'react'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Empty } from '../../components/empty.tsx'
import { Notice } from '../../components/fault.tsx'
import type { FilterField } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { FilterWords } from '../../components/filters/words.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeys } from '../../components/keyboard.ts'
import { Failure } from '../../components/refusal.tsx'
import { useTitle } from '../../components/title.ts'
import { type LineageGraph, type LineageNode, useLineage } from '../../data/lineage.ts'
import { useReference } from '../../data/references.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { LineageSide } from './side.tsx'
import { isPart, matcherOf, prunedTo, relativesIn, type TreeNode, treesOf } from './tree.ts'
import { TreeView } from './tree-view.tsx'
import './lineage.css'

const texts = messages.lineage

/** If there are at least this many records, the cards of specs are only shown on demand. */
const manyNodes = 300

/**
 * The lineage of records: all work of a board, or the tree that a record is in. The selection and display options are
 * in the address.
 */
export default function LineagePage({ board, params }: BoardPageProps) {
  const ref = (params.ref ?? '').toUpperCase()
  const [query, set, clear] = useAddressFilters()
  const { data: found, error: notFound } = useReference(board.id, ref)
  const isArchivedShown = query.get('archived') === '1'
  const { data, error } = useLineage(board.id, {
    record: found ?? undefined,
    include_archived: isArchivedShown,
    isEnabled: ref === '' || (found !== undefined && found !== null),
  })
  useTitle(ref === '' ? undefined : texts.titleOf(ref))
  if (found === null) return <Notice title={messages.shell.notFound} isPassing={false} />
  return (
    <div className="lineage-page">
      <header className="lineage-head">
        <h1>{ref === '' ? texts.title : texts.titleOf(ref)}</h1>
        <p className="muted">{texts.lead}</p>
      </header>
      <Failure error={notFound ?? error} />
      {data === undefined && (notFound ?? error) === null && <p className="notice">{messages.shell.loading}</p>}
      {data !== undefined && (
        <Explorer
          // Another tree opens with its default expansion.
          key={ref}
          graph={data}
          query={query}
          clear={clear}
          set={set}
          boardKey={board.key}
          of={ref}
        />
      )}
    </div>
  )
}

interface ExplorerProps {
  readonly graph: LineageGraph
  readonly query: URLSearchParams
  readonly set: (name: string, value: string) => void
  readonly clear: (names: readonly string[]) => void
  readonly boardKey: string
  /** The reference of the record whose tree is shown; empty for the board. */
  readonly of: string
}

/** How far the trees are expanded, unless a node was expanded or collapsed individually. */
type Depth = 'records' | 'all'

function Explorer({ graph, query, set, clear, boardKey, of }: ExplorerProps) {
  const text = query.get('q') ?? ''
  const withParts = query.get('parts') === '1'
  const [opened, setOpened] = useState<Depth>(graph.nodes.length > manyNodes ? 'records' : 'all')
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const filter = useRef<HTMLInputElement>(null)
  const trees = useMemo(() => {
    const all = treesOf(graph.nodes, withParts)
    return text.trim() === '' ? all : prunedTo(all, matcherOf(text.trim()))
  }, [graph, withParts, text])
  const relatives = useMemo(() => relativesIn(graph), [graph])
  const chosenRef = query.get('at') ?? of
  const chosen = graph.nodes.find(node => (node.ref ?? node.id) === chosenRef)
  const downstream = useMemo(() => (chosen === undefined ? [] : relatives.downstreamOf(chosen.id)), [relatives, chosen])
  const path = chosen === undefined ? [] : relatives.pathTo(chosen.id)
  const isAbove = new Set(path.slice(0, -1).map(({ id }) => id))
  const isOpen = ({ node }: TreeNode): boolean => {
    if (text.trim() !== '') return true
    const usually = opened === 'all' || node.entity_type === 'ideation' || node.entity_type === 'refinement'
    return (usually || isAbove.has(node.id)) !== toggled.has(node.id)
  }
  const choose = (node: LineageNode) => set('at', node.ref ?? node.id)
  const openAs = (next: Depth) => {
    setOpened(next)
    setToggled(new Set())
  }
  useKeys([{ keys: '/', says: texts.keys.filter, place: 'here', run: () => filter.current?.focus() }])
  return (
    <>
      <div className="bar filtered-bar">
        <search className="filter-bar">
          <FilterWords ref={filter} label={texts.filter} words={text} onType={words => set('q', words)} />
          <Filters
            fields={graph.nodes.some(isPart) ? [parts, archived] : [archived]}
            query={query}
            onChange={set}
            onClear={clear}
          />
        </search>
        <button type="button" className="button quiet" onClick={() => openAs(opened === 'all' ? 'records' : 'all')}>
          <Icon name="lineage" />
          <span className="bar-word">{opened === 'all' ? texts.closeAll : texts.openAll}</span>
        </button>
      </div>
      {graph.warnings.length > 0 && <p className="muted lineage-note">{texts.rootless}</p>}
      {graph.nodes.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      {graph.nodes.length > 0 && trees.length === 0 && <Empty title={texts.nothingMatches} />}
      {trees.length > 0 && (
        <div className="lineage-body">
          <TreeView
            trees={trees}
            isOpen={isOpen}
            chosenId={chosen?.id}
            pathIds={isAbove}
            downstreamIds={new Set(downstream.map(({ id }) => id))}
            onToggle={id => setToggled(before => before.symmetricDifference(new Set([id])))}
            onChoose={choose}
          />
          {chosen !== undefined && (
            <LineageSide
              boardKey={boardKey}
              of={of}
              chosen={chosen}
              path={path}
              downstream={downstream}
              related={relatives.relatedTo(chosen.id)}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </>
  )
}

/** What else is shown in the trees. */
const parts: FilterField = { kind: 'mark', name: 'parts', label: texts.parts }
const archived: FilterField = { kind: 'mark', name: 'archived', label: texts.archived }
