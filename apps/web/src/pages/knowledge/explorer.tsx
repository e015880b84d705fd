import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Empty } from '../../components/empty.tsx'
import type { FilterField } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { graphKey, isNodeType, type KnowledgeGraph, nodeTypes, useKnowledgeNode } from '../../data/knowledge.ts'
import { messages } from '../../messages/messages.ts'
import { explorerLayout } from './explorer-layout.ts'
import { NodeChoice } from './node-choice.tsx'
import { addressOfNode } from './parts.tsx'
import { FoundPath } from './path.tsx'
import { Picture } from './picture.tsx'

const texts = messages.knowledge.graph

/** The filters for nodes around the centre. */
const fields: readonly FilterField[] = [
  {
    kind: 'choice',
    name: 'type',
    label: messages.knowledge.type,
    options: nodeTypes.map(value => ({ value, label: messages.knowledge.types[value] })),
  },
  { kind: 'day', name: 'since', label: texts.since, range: {} },
]

/** How many connections of a node are read. */
const max = 200

/** Explores the graph from one node: each can be expanded, made the centre, or be the target of a path. */
export function Explorer({ board }: { readonly board: BoardListItem }) {
  const [query, set, clear] = useAddressFilters()
  const centerParam = query.get('center') ?? ''
  const start = useQuery({
    queryKey: graphKey(board.id, 'start'),
    enabled: centerParam === '',
    queryFn: async () => mostConnected(await client.getKgGraph({ board_id: board.id })),
  })
  const center = centerParam === '' ? (start.data ?? '') : centerParam
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const results = useQueries({
    queries: [center, ...opened]
      .filter(id => id !== '')
      .map(id => ({
        queryKey: graphKey(board.id, 'around', { id }),
        queryFn: () => client.getKgGraph({ board_id: board.id, center: id, depth: 1, limit: max }),
        staleTime: 0,
      })),
  })
  const to = query.get('to') ?? ''
  const pathQuery = useQuery({
    queryKey: graphKey(board.id, 'path', { from: center, to }),
    enabled: center !== '' && to !== '',
    queryFn: () => client.getKgPath({ board_id: board.id, from: center, to }),
    staleTime: 0,
  })
  const path = to === '' ? undefined : pathQuery.data
  const graphs = [...results.flatMap(({ data }) => data ?? []), ...(path === undefined ? [] : [path])]
  const wantedType = query.get('type')
  const type = isNodeType(wantedType) ? wantedType : undefined
  const since = query.get('since') ?? ''
  const nodes = new Map(graphs.flatMap(graph => graph.nodes.map(node => [node.id, node] as const)))
  const edges = [...new Map(graphs.flatMap(graph => graph.edges.map(edge => [edge.id, edge] as const))).values()]
  // The centre may be named by a record, by its id or reference.
  const middle = center === '' ? undefined : results[0]?.data?.nodes.find(({ distance }) => distance === 0)
  const layout = explorerLayout({
    nodes,
    edges,
    center: middle?.id ?? '',
    isOpen: id => opened.has(id),
    isShown: node => (type === undefined || node.node_type === type) && node.created_at >= since,
    path: new Set(path?.edges.map(({ id }) => id)),
  })
  const unreached = useKnowledgeNode(board.id, path?.length === null ? to : '')
  const goal = path?.nodes.at(-1) ?? nodes.get(to) ?? unreached.data
  const error = start.error ?? pathQuery.error ?? results.find(({ error: failed }) => failed !== null)?.error
  const moveTo = (id: string) => {
    setOpened(new Set())
    set('center', id)
  }
  if (centerParam === '' && start.data === null)
    return <Empty title={messages.knowledge.empty} lead={messages.knowledge.emptyLead} />
  return (
    <>
      <p className="muted">{texts.lead}</p>
      <div className="row wrap knowledge-tools">
        <NodeChoice
          boardId={board.id}
          label={messages.knowledge.path.from}
          none={messages.knowledge.path.choose}
          chosen={middle}
          suggestions={layout.placed.map(({ node }) => node)}
          onChoose={moveTo}
        />
        <NodeChoice
          boardId={board.id}
          label={messages.knowledge.path.goal}
          none={messages.knowledge.path.choose}
          chosen={goal}
          suggestions={layout.placed.flatMap(({ node }) => (node === middle ? [] : [node]))}
          onChoose={id => set('to', id)}
        />
        <search className="filter-bar">
          <Filters fields={fields} query={query} onChange={set} onClear={clear} />
        </search>
      </div>
      <Failure error={error} />
      {middle !== undefined && (
        <>
          <h2 className="row wrap">
            <span>{texts.around(middle.title)}</span>
            <Link className="button quiet" href={addressOfNode(board.key, middle.id)}>
              <Icon name="expand" />
              {messages.knowledge.open}
            </Link>
          </h2>
          {path !== undefined && (
            <FoundPath boardKey={board.key} path={path} from={middle} to={goal} onClose={() => set('to', '')} />
          )}
          <Picture
            boardKey={board.key}
            layout={layout}
            path={new Set([...(path?.nodes ?? []), ...(path?.edges ?? [])].map(({ id }) => id))}
            onToggle={id => setOpened(before => before.symmetricDifference(new Set([id])))}
            onCenter={moveTo}
            onPath={id => set('to', id)}
          />
          {results.some(({ data }) => data?.metadata.truncated === true) && <p className="muted">{texts.truncated}</p>}
        </>
      )}
      {middle === undefined && (error === null || error === undefined) && (
        <p className="muted">{messages.shell.loading}</p>
      )}
    </>
  )
}

/** The default centre: the node with the most connections among the newest nodes. Null if there are no nodes. */
function mostConnected({ nodes, edges }: KnowledgeGraph): string | null {
  const degrees = new Map<string, number>()
  for (const { source, target } of edges) for (const id of [source, target]) degrees.set(id, (degrees.get(id) ?? 0) + 1)
  const [first] = nodes.toSorted((a, b) => (degrees.get(b.id) ?? 0) - (degrees.get(a.id) ?? 0))
  return first?.id ?? null
}
