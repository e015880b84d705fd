import type { Client } from '@specboard/client'
import { type Backlog, most } from './backlog.ts'

/** A question for the graph, and the answer according to the file. */
export interface Question {
  readonly text: string
  readonly answer: () => Promise<unknown>
  readonly expected: unknown
}

/** Names that descriptions may contain; the question asks for the one that most issues name. */
const technologies = ['PostgreSQL', 'SQLite', 'MySQL', 'Redis', 'Kafka', 'GraphQL', 'JSON', 'Docker', 'MCP', 'React']

/** Maximum steps of a path in the query language. */
const maxSteps = 10

/** Ten questions about a backlog, about its most connected issues. */
export function questionsOf(
  client: Client,
  backlog: Backlog,
  board_id: string,
  issueOf: ReadonlyMap<string, string>,
): Question[] {
  const { work, epics, waiting, issue } = backlog
  const refs = new Map([...issueOf].map(([ref, id]) => [`${ref.split(':')[0]} ${id}`, ref]))
  const refOf = (type: 'card' | 'spec', id: string) => refs.get(`${type} ${id}`)!
  /** The rows of a query, with references replaced by the ids of their issues; rows without an issue are left out. */
  const rows = async (cypher: string, parameters: Record<string, unknown> = {}): Promise<unknown[][]> => {
    const answer = await client.queryKgCypher({ board_id, cypher, params: parameters, max_rows: 10_000 })
    if (answer.truncated) throw new Error(`There are more rows than one answer holds: ${cypher}`)
    return answer.rows
      .map(row => row.map(cell => (isReference(cell) ? issueOf.get(cell) : cell)))
      .filter(row => !row.includes(undefined))
  }
  const listed = async (cypher: string, parameters?: Record<string, unknown>) =>
    (await rows(cypher, parameters)).map(row => row.join(' ')).sort()

  const busiest = Math.max(...work.map(({ id }) => backlog.dependents(id).length))
  const furthest = most(work, ({ id }) => backlog.before(id, maxSteps).length)
  const largest = most(epics, ({ id }) => backlog.workOf(id).length)
  const between = waiting.flatMap(([id, blocker]) => {
    const [from, to] = [backlog.epicOf(id), backlog.epicOf(blocker)]
    return from === undefined || to === undefined ? [] : [`${from} ${to}`]
  })
  const ready = work.filter(({ id }) => !backlog.isClosed(id) && backlog.blockers(id).every(backlog.isClosed))
  const naming = (name: string) =>
    backlog.issues.filter(({ id }) => backlog.textOf(id).toLowerCase().includes(name.toLowerCase()))
  const technology = most(technologies, name => naming(name).length)
  const { openings, doubles } = backlog

  return [
    {
      text: 'Which cards wait for other cards, and for which?',
      answer: () =>
        listed('MATCH (a)-[:depends_on]->(b) RETURN a.source_artifact_ref AS card, b.source_artifact_ref AS other'),
      expected: waiting.map(pair => pair.join(' ')).sort(),
    },
    {
      text: 'Which cards do the most others wait for directly, and how many?',
      answer: async () => {
        const counted = await rows(
          'MATCH (c)-[:depends_on]->(x) RETURN x.source_artifact_ref AS card, count(c) AS waiting ORDER BY waiting DESC',
        )
        return counted
          .filter(([, count]) => count === counted[0]?.[1])
          .map(row => row.join(' '))
          .sort()
      },
      expected: work
        .filter(({ id }) => busiest > 0 && backlog.dependents(id).length === busiest)
        .map(({ id }) => `${id} ${busiest}`)
        .sort(),
    },
    {
      text: 'How many chains of two and of three dependencies are there?',
      answer: () =>
        listed('MATCH p = (a)-[:depends_on*2..3]->(b) RETURN length(p) AS steps, count(*) AS chains ORDER BY steps'),
      expected: [2, 3]
        .filter(length => backlog.chains(length) > 0)
        .map(length => `${length} ${backlog.chains(length)}`),
    },
    {
      text: `What must be done before "${issue(furthest.id).title}"?`,
      answer: () =>
        listed(
          'MATCH (x {source_artifact_ref: $ref})-[:depends_on*]->(y) RETURN DISTINCT y.source_artifact_ref AS card',
          { ref: refOf('card', furthest.id) },
        ),
      expected: backlog.before(furthest.id, maxSteps).sort(),
    },
    {
      text: `Which work belongs to the epic "${largest.title}"?`,
      answer: () =>
        listed(
          "MATCH (c)-[:belongs_to]->(:Entity {source_artifact_ref: $ref}) WHERE c.source_artifact_ref STARTS WITH 'card:' RETURN c.source_artifact_ref AS card",
          { ref: refOf('spec', largest.id) },
        ),
      expected: backlog.workOf(largest.id).sort(),
    },
    {
      text: 'How many dependencies are there within each epic, and between which?',
      answer: () =>
        listed(
          'MATCH (e)<-[:belongs_to]-(a)-[:depends_on]->(b)-[:belongs_to]->(f) RETURN e.source_artifact_ref AS epic, f.source_artifact_ref AS other, count(*) AS links',
        ),
      expected: [...Map.groupBy(between, pair => pair)].map(([pair, all]) => `${pair} ${all.length}`).sort(),
    },
    {
      text: 'Which cards can be started: open ones that wait for nothing open?',
      answer: async () => {
        const counted = await rows(
          "MATCH (c) WHERE c.source_artifact_ref STARTS WITH 'card:' AND NOT c.context STARTS WITH 'Status: done' OPTIONAL MATCH (c)-[:depends_on]->(d) WHERE NOT d.context STARTS WITH 'Status: done' RETURN c.source_artifact_ref AS card, count(d) AS open",
        )
        return counted.flatMap(([card, open]) => (open === 0 ? [card] : [])).sort()
      },
      expected: ready.map(({ id }) => id).sort(),
    },
    {
      text: `Which issues mention ${technology}?`,
      answer: async () => [
        ...new Set(
          await listed(
            'MATCH (n) WHERE toLower(n.title) CONTAINS toLower($name) OR toLower(n.content) CONTAINS toLower($name) RETURN n.source_artifact_ref AS record',
            { name: technology },
          ),
        ),
      ],
      expected: naming(technology)
        .map(({ id }) => id)
        .sort(),
    },
    {
      text: `Which issue is nearest to the title and first words of each of ${openings.size}?`,
      answer: async () => {
        const nearest: unknown[] = []
        for (const text of openings.values()) {
          const { results } = await client.searchKgGlobal({ q: text, limit: 1 })
          const node = results[0] && (await client.getKgNode({ board_id, node_id: results[0].id }))
          nearest.push(issueOf.get(node?.source_artifact_ref ?? ''))
        }
        return nearest
      },
      expected: [...openings.keys()],
    },
    {
      text: 'Which issues have the same text as the one that is repeated most?',
      answer: async () => {
        const query = { board_id, topic: doubles.text, type: 'all', top_k: 50, min_similarity: 0.9999 } as const
        const { results } = await client.findSimilarKgNodes(query)
        // Equal texts are returned once, with the other nodes listed beside it (knowledge-graph 7.2).
        const ids = results.flatMap(({ id, also = [] }) => [id, ...also])
        const nodes = await Promise.all(ids.map(node_id => client.getKgNode({ board_id, node_id })))
        return [...new Set(nodes.map(({ source_artifact_ref }) => issueOf.get(source_artifact_ref)))].sort()
      },
      expected: doubles.ids.toSorted(),
    },
  ]
}

const isReference = (cell: unknown): cell is string => typeof cell === 'string' && /^\w+:[0-9a-f-]{36}/.test(cell)
