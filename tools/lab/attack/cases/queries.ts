import { type Attack, crowd, each } from '../attack.ts'
import { type ReceivedAnswer, send, sendTool } from '../send.ts'
import type { Target } from '../target.ts'

const cypher = (query: string, target: Target, key: string | undefined): Promise<ReceivedAnswer> =>
  send(target, 'POST', `/api/v1/kg/boards/${target.boardId}/cypher`, { key, body: JSON.stringify({ cypher: query }) })

const text = 'a.content + b.content + a.title + b.title'
const long = Array.from({ length: 40 }, () => text).join(' + ')

const large = [
  `MATCH (a), (b) RETURN ${long} AS t ORDER BY t DESC LIMIT 1`,
  `MATCH (a), (b) RETURN size(collect(${long}))`,
  `MATCH (a), (b) RETURN ${long}`,
  'MATCH (a), (b), (c) RETURN collect(a), collect(b), collect(c) LIMIT 1',
]

/** Queries of the graph that cost more than they may (trust 1). */
export const queries: readonly Attack[] = [
  {
    name: 'Cypher of backticks, comments and brackets by the megabyte',
    answers: { none: [400, 403, 413, 422], viewer: [400, 413, 422] },
    variations: {
      ...each(
        { backticks: '`'.repeat(7 << 20), comments: '/*'.repeat(5_000), brackets: `RETURN ${'('.repeat(9_000)}` },
        cypher,
      ),
      'by a tool': (target, key) =>
        sendTool(target, key, 'query_kg_cypher', { board_id: target.boardId, cypher: '`'.repeat(3 << 20) }),
    },
  },
  {
    name: 'Cypher products, 8 at once',
    answers: { viewer: [200, 400, 408, 429, 503, 504] },
    isLong: true,
    variations: {
      'three of all': (target, key) =>
        crowd(8, () => cypher('MATCH (a), (b), (c) RETURN count(DISTINCT a.title + b.title + c.title)', target, key)),
    },
  },
  {
    name: 'Cypher that sorts, collects and joins long texts, 8 at once',
    answers: { viewer: [200, 429, 503] },
    isLong: true,
    variations: {
      'each twice': (target, key) => crowd(8, index => cypher(large[index % large.length]!, target, key)),
    },
    holds: answers =>
      answers.some(({ text }) => text.includes('QUERY_TOO_LARGE')) ? undefined : 'no query was too large',
  },
]
