import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import type { GraphNode, KnowledgePath } from '../../data/knowledge.ts'
import { messages } from '../../messages/messages.ts'
import { addressOfNode, connection, TypeBadge } from './parts.tsx'

const texts = messages.knowledge.path

interface FoundPathProps {
  readonly boardKey: string
  readonly path: KnowledgePath
  readonly from: Pick<GraphNode, 'title'>
  readonly to: Pick<GraphNode, 'title'> | undefined
  readonly onClose: () => void
}

/** A path as text: each node, and how it is connected to the one before. */
export function FoundPath({ boardKey, path, from, to, onClose }: FoundPathProps) {
  return (
    <section className="knowledge-path" aria-label={texts.title}>
      <p className="row wrap">
        <span role="status" className="grow">
          {path.length === null ? texts.none : texts.length(path.length)}
        </span>
        <Button onClick={onClose}>{texts.close}</Button>
      </p>
      {path.edges.length > 0 && (
        <ol className="plain">
          {path.nodes.map((node, index) => (
            <li key={node.id} className="row">
              {index > 0 && <span className="muted">{connection(path.edges[index - 1]!, node)}</span>}
              <TypeBadge type={node.node_type} />
              <Link className="truncate" href={addressOfNode(boardKey, node.id)} title={node.title} dir="auto">
                {node.title}
              </Link>
            </li>
          ))}
        </ol>
      )}
      {path.length === null && to !== undefined && <p className="muted">{texts.noneLead(from.title, to.title)}</p>}
    </section>
  )
}
