import { createHash } from 'node:crypto'
import { readWithoutLock } from '@specboard/domain'

/** A stored node or edge, with every attribute that follows from the records. */
interface StoredItem {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The graph of a board, without what depends only on when and in which session it was built. */
export interface Graph {
  readonly nodes: readonly StoredItem[]
  readonly edges: readonly StoredItem[]
}

/** Reads the graph of a board from a folder, with ids replaced by what they name. */
export function readGraph(folder: string, board_id: string): Promise<Graph> {
  return readWithoutLock(folder, async db => {
    const nodes = await db
      .selectFrom('kg_nodes')
      .leftJoin('kg_vectors', 'kg_vectors.ordinal', 'kg_nodes.ordinal')
      .where('kg_nodes.board_id', '=', board_id)
      .select([
        'kg_nodes.id',
        'node_type',
        'title',
        'content',
        'context',
        'justification',
        'source_artifact_ref',
        'owner_ref',
        'source_confidence',
        'relevance_score',
        'priority_boost',
        'superseded_by',
        'revocation_reason',
        'embedding_model',
        'degree',
        'vector',
      ])
      .execute()
    const names = new Map(nodes.map(node => [node.id, `${node.node_type} ${node.source_artifact_ref}`]))
    const edges = await db
      .selectFrom('kg_edges')
      .where('board_id', '=', board_id)
      .select(['from_id', 'to_id', 'edge_type', 'confidence', 'layer', 'rule_id', 'fallback_reason', 'owner_ref'])
      .execute()
    return {
      nodes: nodes.map(({ id, superseded_by, vector, ...attributes }) => ({
        name: names.get(id)!,
        attributes: {
          ...attributes,
          superseded_by: superseded_by === null ? null : names.get(superseded_by),
          vector: vector === null ? null : createHash('sha256').update(vector).digest('hex'),
        },
      })),
      edges: edges.map(({ from_id, to_id, edge_type, ...attributes }) => ({
        name: `${names.get(from_id)} ${edge_type} ${names.get(to_id)}`,
        attributes,
      })),
    }
  })
}

/** The number of records of a board that are queued for the graph or were given up. */
export function countUnprocessed(folder: string, board_id: string): Promise<number> {
  return readWithoutLock(folder, async db => {
    const rows = await Promise.all(
      (['kg_queue', 'kg_dead_letters'] as const).map(table =>
        db
          .selectFrom(table)
          .where('board_id', '=', board_id)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      ),
    )
    return rows.reduce((sum, { count }) => sum + count, 0)
  })
}

/** One line for each node and edge that a graph has twice, that only one graph has, or that differs. */
export function differences(found: Graph, expected: Graph): string[] {
  return [...compare(found.nodes, expected.nodes), ...compare(found.edges, expected.edges)]
}

function compare(found: readonly StoredItem[], expected: readonly StoredItem[]): string[] {
  const [ours, theirs] = [byName(found), byName(expected)]
  const doubles = [...ours].filter(([, count]) => count.length > 1).map(([name]) => `${name} exists twice.`)
  const absent = [...theirs.keys()].filter(name => !ours.has(name)).map(name => `${name} is missing.`)
  const surplus = [...ours.keys()].filter(name => !theirs.has(name)).map(name => `${name} should not exist.`)
  const different = [...theirs].flatMap(([name, [wanted]]) => {
    const stored = ours.get(name)?.[0]
    if (stored === undefined || wanted === undefined) return []
    return Object.entries(wanted.attributes)
      .filter(([key, value]) => stored.attributes[key] !== value)
      .map(([key, value]) => `${name}: ${key} is ${stored.attributes[key]}, after a rebuild ${value}.`)
  })
  return [...doubles, ...absent, ...surplus, ...different]
}

const byName = (all: readonly StoredItem[]): Map<string, StoredItem[]> => Map.groupBy(all, ({ name }) => name)
