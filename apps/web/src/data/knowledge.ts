import type { KgNodeType as KgNodeTypeSchema } from '@specboard/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { messages } from '../messages/messages.ts'
import { readCard } from './cards.ts'
import { client } from './client.ts'
import { faultOf } from './fault.ts'
import { keys } from './keys.ts'
import { isPlanKind, readPlan } from './planning.ts'

export type NodeType = z.output<typeof KgNodeTypeSchema>
export type KnowledgeNode = Awaited<ReturnType<typeof client.getKgNode>>
export type KnowledgeGraph = Awaited<ReturnType<typeof client.getKgGraph>>
export type GraphNode = KnowledgeGraph['nodes'][number]
export type KnowledgePath = Awaited<ReturnType<typeof client.getKgPath>>
export type GraphEdge = KnowledgeGraph['edges'][number]

export const nodeTypes = Object.keys(messages.knowledge.types) as readonly NodeType[]

export const isNodeType = (text: string | null): text is NodeType => nodeTypes.some(type => type === text)

/** The key of data from the graph of a board. The graph is updated a moment after its records, without an event. */
export const graphKey = (boardId: string, part: string, query: object = {}) =>
  keys.list(boardId, 'knowledge', { part, ...query })

/** How often pages about the graph's background work are refreshed, ms. */
export const againMs = 2_000

/** A node of the graph, however it was found. */
export interface FoundNode {
  readonly id: string
  readonly title: string
  readonly type: NodeType
  readonly excerpt: string
  readonly ref: string | null
  readonly similarity?: number
  readonly also?: number
  readonly isSuperseded: boolean
  readonly isFar: boolean
}

interface NodeSearch {
  readonly q: string
  readonly type: NodeType | undefined
  readonly by: 'meaning' | 'words'
}

/** The maximum number of search results. */
const maxFound = 50

/** Searches the graph; sends nothing without words. Each search affects the relevance of its results. */
export const useSearch = (boardId: string, search: NodeSearch) =>
  useQuery({
    queryKey: graphKey(boardId, 'search', search),
    enabled: search.q !== '',
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const [named, found] = await Promise.all([
        byName(boardId, search),
        search.by === 'meaning' ? byMeaning(boardId, search) : byWords(boardId, search),
      ])
      return named === undefined ? found : [named, ...found.filter(({ id, isFar }) => id !== named.id && !isFar)]
    },
  })

/** A reference, or the id of a record or node. */
const name = /^(?:[a-z][a-z0-9]{1,9}-[1-9][0-9]{0,14}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i

/** The node of a record with this id or reference; undefined if it is not in the graph. */
async function byName(board_id: string, { q, type }: NodeSearch): Promise<FoundNode | undefined> {
  if (!name.test(q)) return undefined
  const { nodes } = await client
    .getKgGraph({ board_id, center: q, depth: 1, limit: 1 })
    .catch((error: unknown) => (faultOf(error) === 'gone' ? { nodes: [] } : Promise.reject(error)))
  const node = nodes.find(({ distance }) => distance === 0)
  if (node === undefined || (type !== undefined && node.node_type !== type)) return undefined
  const { id, title, node_type, content } = node
  return { id, title, type: node_type, excerpt: content, ref: null, isSuperseded: false, isFar: false }
}

async function byMeaning(board_id: string, { q, type }: NodeSearch): Promise<FoundNode[]> {
  const { results } = await client.findSimilarKgNodes({ board_id, topic: q, type: type ?? 'all', top_k: maxFound })
  return results.map(
    ({ id, title, node_type, excerpt, record_ref, similarity, superseded_by, also, below_threshold }) => ({
      id,
      title,
      type: node_type,
      excerpt,
      ref: record_ref,
      similarity,
      isSuperseded: superseded_by !== null,
      isFar: below_threshold === true,
      ...(also !== undefined && { also: also.length }),
    }),
  )
}

/** Nodes whose title or content has every word, most relevant first. */
async function byWords(board_id: string, { q, type }: NodeSearch): Promise<FoundNode[]> {
  const words = q.toLowerCase().split(/\s+/)
  const has = words.map((_, index) => `toLower(n.title + ' ' + n.content) CONTAINS $w${index}`).join(' AND ')
  const fields = ['n.id', 'n.title', 'label(n)', 'n.content', 'n.superseded_by']
  const { rows } = await client.queryKgCypher({
    board_id,
    cypher: `MATCH (n${type === undefined ? '' : `:${type}`}) WHERE ${has} RETURN ${fields.join(', ')} ORDER BY n.relevance_score DESC, n.id LIMIT ${maxFound}`,
    params: Object.fromEntries(words.map((word, index) => [`w${index}`, word])),
  })
  return rows.map(([id, title, label, content, supersededBy]) => ({
    id: String(id),
    title: String(title),
    type: nodeTypes.find(candidate => candidate === label) ?? 'Entity',
    excerpt: String(content).slice(0, 280),
    ref: null,
    isSuperseded: supersededBy !== null,
    isFar: false,
  }))
}

/** A node with its edges; nothing is read if the id is empty. */
export const useKnowledgeNode = (boardId: string, nodeId: string) =>
  useQuery({
    queryKey: graphKey(boardId, 'node', { nodeId }),
    enabled: nodeId !== '',
    queryFn: () => client.getKgNode({ board_id: boardId, node_id: nodeId }),
    staleTime: 0,
  })

/** The reference and title of the record with an id; null if it no longer exists. */
export const useRecordOf = (kind: string, id: string) =>
  useQuery({
    queryKey: [...keys.record(kind, id), 'named'],
    retry: false,
    queryFn: async () => {
      const { ref, title } = isPlanKind(kind) ? (await readPlan(kind, id)).record : (await readCard(id)).card
      return { ref, title }
    },
  })
