import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfDesign } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { NotRead } from '../../components/fault.tsx'
import { Icon } from '../../components/icon.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Property } from '../../components/property.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section, SectionHeading } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { useTitle } from '../../components/title.ts'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { faultOf } from '../../data/fault.ts'
import { graphKey, type KnowledgeNode, useKnowledgeNode } from '../../data/knowledge.ts'
import { fixed } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { addressOfGraph, addressOfNode, percentOf, RecordLink, TypeBadge } from './parts.tsx'
import '../card/card.css'
import './knowledge.css'
import { Linked } from '../../components/linked.tsx'

const texts = messages.knowledge

interface NodeProps {
  readonly board: BoardListItem
  readonly node: KnowledgeNode
}

/** A node of the graph: its content and reasons, its source, what contradicts it, and its connections. */
export default function KnowledgeNodePage({ board, params }: BoardPageProps) {
  const { data: node, error } = useKnowledgeNode(board.id, params.node ?? '')
  useTitle(node?.title)
  if (node === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  const content = node.node_type === 'Decision' ? texts.content.Decision : texts.content.other
  return (
    <SectionHeading value="h2">
      <div className="page card-view knowledge">
        <article className="card-main">
          <p className="row wrap">
            <TypeBadge type={node.node_type} />
            {node.revocation_reason !== null && (
              <span className="badge amber">{texts.revoked[node.revocation_reason]}</span>
            )}
          </p>
          <h1 dir="auto">
            <Linked text={node.title} />
          </h1>
          <Source board={board} sourceRef={node.source_artifact_ref} />
          <TextSection title={content} text={node.content === node.title ? '' : node.content} />
          <TextSection title={texts.context} text={node.context} />
          <TextSection title={texts.justification} text={node.justification} />
          {node.node_type === 'Decision' && <Decision board={board} node={node} />}
          <Connections board={board} node={node} direction="out" />
          <Connections board={board} node={node} direction="in" />
        </article>
        <Side board={board} node={node} />
      </div>
    </SectionHeading>
  )
}

const TextSection = ({ title, text }: { readonly title: string; readonly text: string }) =>
  text === '' ? null : (
    <Section title={title}>
      <Markdown text={text} />
    </Section>
  )

/** The record that a node was derived from (knowledge-graph 2.4). */
function Source({ board, sourceRef }: { readonly board: BoardListItem; readonly sourceRef: string }) {
  const [kind = '', id = ''] = sourceRef.split(':')
  return (
    <p className="row wrap">
      <span className="muted">{texts.source}</span>
      {kind === 'tech' && texts.sourceTech}
      {kind === 'architecture_design' && <Link href={addressOfDesign(board.key, id)}>{texts.design}</Link>}
      {kind !== 'tech' && kind !== 'architecture_design' && <RecordLink kind={kind} id={id} />}
    </p>
  )
}

/** What a decision contradicts, and the decisions before and after it. */
function Decision({ board, node }: NodeProps) {
  const { data: chain } = useQuery({
    queryKey: graphKey(board.id, 'supersedence', { id: node.id }),
    queryFn: () => client.getKgSupersedence({ board_id: board.id, decision_id: node.id }),
  })
  const { data: against } = useQuery({
    queryKey: graphKey(board.id, 'contradictions', { id: node.id }),
    queryFn: () => client.listKgContradictions({ board_id: board.id, node_id: node.id }),
  })
  const contradicting = (against?.contradictions ?? []).map(({ id_a, title_a, id_b, title_b, confidence }) => ({
    id: id_a === node.id ? id_b : id_a,
    title: id_a === node.id ? title_b : title_a,
    note: texts.certainty(percentOf(confidence)),
  }))
  return (
    <>
      <Nodes board={board} title={texts.contradictions} nodes={contradicting} />
      <Nodes board={board} title={texts.newer} nodes={chain?.newer ?? []} />
      <Nodes board={board} title={texts.tookPlaceOf} nodes={chain?.chain ?? []} />
    </>
  )
}

interface NodesProps {
  readonly board: BoardListItem
  readonly title: string
  readonly nodes: readonly { readonly id: string; readonly title: string; readonly note?: string }[]
}

const Nodes = ({ board, title, nodes }: NodesProps) =>
  nodes.length === 0 ? null : (
    <Section title={title} count={nodes.length}>
      <ul className="plain">
        {nodes.map(node => (
          <li key={node.id}>
            <Link className="reference row" href={addressOfNode(board.key, node.id)}>
              <span className="truncate grow" dir="auto">
                {node.title}
              </span>
              {node.note !== undefined && <span className="badge amber numbers">{node.note}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )

/** The connections of a node in one direction, by type. */
function Connections({ board, node, direction }: NodeProps & { readonly direction: 'out' | 'in' }) {
  const edges = node.edges.filter(edge => edge.direction === direction)
  if (edges.length === 0) return null
  return (
    <Section title={texts.edges[direction]} count={edges.length}>
      {[...Map.groupBy(edges, edge => edge.edge_type)].map(([type, ofType]) => (
        <div key={type} className="knowledge-edges">
          <span className="muted">{texts.edgeTypes[type]}</span>
          <ul className="plain">
            {ofType.map(edge => (
              <li key={edge.node_id}>
                <Link className="reference row" href={addressOfNode(board.key, edge.node_id)}>
                  <TypeBadge type={edge.node_type} />
                  <span className="truncate grow" dir="auto">
                    {edge.title}
                  </span>
                  {edge.confidence < 1 && (
                    <span className="badge numbers">{texts.certainty(percentOf(edge.confidence))}</span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

function Side({ board, node }: NodeProps) {
  const queries = useQueryClient()
  const boosting = useMutation({
    mutationFn: async () => {
      const { score_before, score_after } = await client.boostKgNode({ board_id: board.id, node_id: node.id })
      toast(texts.boosted(fixed(score_before, 2), fixed(score_after, 2)))
      await queries.invalidateQueries({ queryKey: graphKey(board.id, 'node', { nodeId: node.id }) })
    },
  })
  return (
    <aside className="card-side stack" aria-label={texts.properties}>
      <p className="row wrap">
        <Link className="button" href={addressOfGraph(board.key, node.id)}>
          <Icon name="graph" /> {texts.openInGraph}
        </Link>
        <Button needs={['KG_UPDATE']} disabled={boosting.isPending} onClick={() => boosting.mutate()}>
          {texts.boost}
        </Button>
      </p>
      <Failure error={boosting.error} />
      <dl className="properties numbers">
        <Property label={texts.relevance}>{fixed(node.relevance_score, 2)}</Property>
        <Property label={texts.confidence}>{fixed(node.source_confidence, 2)}</Property>
        <Property label={texts.degree}>{node.degree}</Property>
        <Property label={texts.hits}>{node.query_hits}</Property>
        <Property label={texts.created}>
          <Time at={node.created_at} />
        </Property>
        <Property label={texts.updated}>
          <Time at={node.updated_at} />
        </Property>
      </dl>
    </aside>
  )
}
