import type { Search, SimilarNode, SimilarQuery } from '../../graph/search/search.ts'
import { maxTopicLength, topicOf } from '../../graph/search/topic.ts'
import { readContradictions } from '../../graph/store/contradiction-list.ts'
import { readLearnings } from '../../graph/store/learnings.ts'
import { DomainError } from '../../kernel/errors.ts'
import { noLimit } from '../../kernel/page.ts'
import type { Db } from '../../schema/database.ts'
import { leadingTo, type QuestionResult, type Row } from './result.ts'

const likeEnough = { min_similarity: 0.3, include_superseded: true }
const maxDecisions = 10
const maxNodes = 20
const maxPairs = 50
const maxLearnings = 50

/** The members for a row that links to a node of the graph. */
const leadingToNode = (id: string, title: string) => leadingTo({ type: 'kg_node', id, title })

const likeness = ({ similarity, combined_score }: SimilarNode) =>
  `${Math.round(similarity * 100)} % alike, score ${combined_score}`

/** The members that every row of a similar node has. */
const measured = ({ source_artifact_ref, similarity, combined_score }: SimilarNode) => ({
  source_artifact_ref,
  similarity,
  combined_score,
})

async function nodesLike(
  search: Pick<Search, 'similar'>,
  boardId: string,
  query: Pick<SimilarQuery, 'topic' | 'type' | 'top_k'>,
  furtherOf: (node: SimilarNode) => object,
): Promise<QuestionResult> {
  const { results, warning } = await search.similar(boardId, { ...query, ...likeEnough })
  const rows = results.map(
    (node): Row => ({
      id: node.id,
      type: node.node_type,
      title: node.title,
      summary: likeness(node),
      meta: { ...leadingToNode(node.id, node.title), ...furtherOf(node), ...measured(node) },
    }),
  )
  return { rows, ...(warning !== undefined && { warning }) }
}

/** The decisions similar to a topic, best score first. */
export function decisionsOn(search: Pick<Search, 'similar'>, boardId: string, topic: string): Promise<QuestionResult> {
  const query = { topic: topicOf('topic', topic, maxTopicLength), type: 'Decision', top_k: maxDecisions } as const
  return nodesLike(search, boardId, query, () => ({}))
}

/** The nodes of any type similar to a phrase, best score first. */
export function nodesOn(search: Pick<Search, 'similar'>, boardId: string, phrase: string): Promise<QuestionResult> {
  const query = { topic: topicOf('query', phrase, maxTopicLength), type: 'all', top_k: maxNodes } as const
  return nodesLike(search, boardId, query, ({ id, node_type }) => ({ node_id: id, node_type }))
}

/** Pairs of decisions that contradict each other, highest confidence first. */
export async function contradictingDecisions(db: Db, boardId: string): Promise<QuestionResult> {
  const { contradictions, total } = await readContradictions(db, boardId, { limit: maxPairs })
  const rows = contradictions.map(
    (pair): Row => ({
      id: `${pair.id_a}__${pair.id_b}`,
      type: 'ContradictionPair',
      title: `${pair.title_a} / ${pair.title_b}`,
      summary: `"${pair.title_a}" contradicts "${pair.title_b}", confidence ${pair.confidence}`,
      meta: {
        ...leadingToNode(pair.id_a, pair.title_a),
        ...pair,
        counterpart_id: pair.id_b,
        counterpart_title: pair.title_b,
      },
    }),
  )
  return { rows, total }
}

/** Lessons with the bugs they were learned from, most relevant first; `area` keeps bugs whose text contains it. */
export async function lessonsFromBugs(db: Db, boardId: string, area = ''): Promise<QuestionResult> {
  const learnings = await readLearnings(db, boardId, { area, limit: noLimit })
  const rows = learnings.slice(0, maxLearnings).map(
    (learning): Row => ({
      id: learning.learning_id,
      type: 'Learning',
      title: learning.learning_title,
      summary: `Learned from "${learning.bug_title}"`,
      meta: {
        ...leadingToNode(learning.learning_id, learning.learning_title),
        node_type: 'Learning',
        source_bug_id: learning.bug_id,
        source_bug_title: learning.bug_title,
        learning_id: learning.learning_id,
        learning_title: learning.learning_title,
        learning_content: learning.learning_content,
        justification: learning.justification,
        source_confidence: learning.source_confidence,
        bug_id: learning.bug_id,
        bug_title: learning.bug_title,
      },
    }),
  )
  return { rows, total: learnings.length }
}

/** The result of a query on the graph; an empty table with a warning when the graph cannot be read. */
export async function orWarning(find: () => Promise<QuestionResult>): Promise<QuestionResult> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof DomainError) throw error
    return { rows: [], warning: 'The knowledge graph cannot be read at the moment. Try again later.' }
  }
}
