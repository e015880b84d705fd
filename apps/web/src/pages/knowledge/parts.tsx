import { Link } from 'wouter'
import { addressOfRecord } from '../../address.ts'
import { type GraphEdge, type GraphNode, type NodeType, useRecordOf } from '../../data/knowledge.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.knowledge

export const addressOfNode = (boardKey: string, id: string): string => `/b/${boardKey}/knowledge/nodes/${id}`

export const addressOfGraph = (boardKey: string, center: string): string =>
  `/b/${boardKey}/knowledge/graph?center=${center}`

/** The type of a node. */
export const TypeBadge = ({ type }: { readonly type: NodeType }) => (
  <span className={`badge kind-${type}`}>{texts.types[type]}</span>
)

/** How a node is connected to the previous one, with an arrow that points as the edge does. */
export function connection({ edge_type, target }: GraphEdge, node: GraphNode): string {
  const how = texts.edgeTypes[edge_type]
  return target === node.id ? texts.graph.to(how) : texts.graph.from(how)
}

export const percentOf = (share: number): number => Math.round(share * 100)

interface RecordLinkProps {
  readonly kind: string
  readonly id: string
}

/** A link to a record of which only the id is known. */
export function RecordLink({ kind, id }: RecordLinkProps) {
  const { data, isError } = useRecordOf(kind, id)
  if (isError) return <span className="muted">{texts.queue.gone}</span>
  if (data === undefined) return <span className="muted">{messages.shell.loading}</span>
  return (
    <span className="knowledge-record">
      <Link href={addressOfRecord(kind, data.ref)}>{data.ref}</Link> <bdi>{data.title}</bdi>
    </span>
  )
}
