// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of run_operations
import { send, sendMcp, type Target, type Told } from './target.ts'

/** One attack: what it sends, and what the service may answer. */
export interface Attack {
  readonly name: string
  readonly run: (target: Target) => Promise<readonly Told[]>
  /** The statuses that the service may answer. */
  readonly answers: readonly number[]
  /** Whether it sends bodies of megabytes, one of which may take longer to parse. */
  readonly sendsWholeBodies?: true
  /** A further check of the answers; returns what is wrong with them. */
  readonly holds?: (answers: readonly Told[]) => string | undefined
}

const mebibyte = 1 << 20

/** The most characters that 101 items of a 422 take. */
const mostLengthOfItems = 64 << 10

/** Several callers at once, each doing the same. */
const crowd = async (count: number, run: (index: number) => Promise<Told | readonly Told[]>): Promise<Told[]> =>
  (await Promise.all(Array.from({ length: count }, (_, index) => run(index)))).flat()

const patchSpec = (target: Target, body: string) =>
  send(target, 'PATCH', `/api/v1/specs/${target.specId}`, { key: target.editorKey, body })

const scenario = (id: string) => ({ id, title: 'x' })

const cypher = (target: Target, query: string) =>
  send(target, 'POST', `/api/v1/kg/boards/${target.boardId}/cypher`, {
    key: target.viewerKey,
    body: JSON.stringify({ cypher: query }),
  })

const tool = (target: Target, name: string, args: unknown = {}) =>
  sendMcp(target, target.viewerKey, 'tools/call', { name, arguments: args })

const multipart = (target: Target, path: string, key: string | undefined, body: string) =>
  send(target, 'POST', path, {
    ...(key !== undefined && { key }),
    body: new Blob([body]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })

const tinyParts = (bytes: number) => {
  const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nx\r\n'
  return `${part.repeat(Math.floor(bytes / part.length))}--b--\r\n`
}

const wideJson = (members: number) =>
  Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, 0]))

/** Every attack that has brought a service down, and every row of trust 1. */
export const attacks: readonly Attack[] = [
  {
    name: 'duplicate ids, as many as a body holds',
    run: async target => [
      await patchSpec(
        target,
        JSON.stringify({
          test_scenarios: Array.from({ length: 200_000 }, (_, index) => scenario(`s${index % 99_999}`)),
        }),
      ),
      await patchSpec(
        target,
        JSON.stringify({ test_scenarios: Array.from({ length: 500 }, (_, index) => scenario(`s${index % 250}`)) }),
      ),
    ],
    answers: [400, 422],
  },
  {
    name: 'four million faults in one body',
    run: async target => [
      await patchSpec(target, `{"functional_requirements":[${'0,'.repeat(4 * mebibyte - 64)}0]}`),
      await patchSpec(target, JSON.stringify({ labels: Array.from({ length: 400 }, () => 0) })),
    ],
    answers: [413, 422],
    holds: answers =>
      answers.some(({ length }) => length > mostLengthOfItems) ? 'an answer is longer than 101 items' : undefined,
  },
  {
    name: 'references by the hundred thousand',
    run: async target => {
      const linked_criteria = Array.from({ length: 500 }, (_, index) => `no criterion ${index}`)
      const scenarios = Array.from({ length: 300 }, (_, index) => ({ ...scenario(`s${index}`), linked_criteria }))
      const criteria = Array.from({ length: 500 }, (_, index) => `criterion ${index}`)
      return [await patchSpec(target, JSON.stringify({ acceptance_criteria: criteria, test_scenarios: scenarios }))]
    },
    answers: [400],
  },
  {
    name: 'free JSON: deep, wide, long',
    sendsWholeBodies: true,
    run: async target => {
      const create = (scope_assessment: unknown) =>
        send(target, 'POST', `/api/v1/boards/${target.boardId}/ideations`, {
          key: target.editorKey,
          body: JSON.stringify({ title: 'x', scope_assessment }),
        })
      const deep = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)
      const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, 0]))
      return [await create(deep), await create(wide), await create({ long: 'x'.repeat(1_000_001) })]
    },
    answers: [422],
  },
  {
    name: 'a tool, prompt, resource and operation of 40 kB and of 4 MB',
    run: async target => {
      const long = 'get_carrd_'.repeat(4_000)
      const longer = 'x'.repeat(4 * mebibyte)
      return [
        await tool(target, long),
        await tool(target, longer),
        await sendMcp(target, target.viewerKey, 'prompts/get', { name: longer }),
        await sendMcp(target, target.viewerKey, 'resources/read', { uri: `specboard://${longer}` }),
        await tool(target, 'run_operations', { operations: [{ name: longer, arguments: {} }] }),
        await tool(target, 'find_operations', { query: long }),
      ]
    },
    answers: [200, 400, 404, 413],
  },
  {
    name: 'Cypher of 7 MB of backticks',
    run: async target => [
      await cypher(target, '`'.repeat(7 * mebibyte)),
      await tool(target, 'query_kg_cypher', { board_id: target.boardId, cypher: '`'.repeat(3 * mebibyte) }),
    ],
    answers: [200, 400, 413, 422],
  },
  {
    name: 'Cypher products, 8 at once',
    run: target =>
      crowd(8, () => cypher(target, 'MATCH (a), (b), (c) RETURN count(DISTINCT a.title + b.title + c.title)')),
    answers: [200, 400, 408, 429, 503, 504],
  },
  {
    name: 'Cypher that sorts, collects and joins long texts, 8 at once',
    run: async target => {
      const text = 'a.content + b.content + a.title + b.title'
      const long = Array.from({ length: 40 }, () => text).join(' + ')
      const queries = [
        `MATCH (a), (b) RETURN ${long} AS t ORDER BY t DESC LIMIT 1`,
        `MATCH (a), (b) RETURN size(collect(${long}))`,
        `MATCH (a), (b) RETURN ${long}`,
        'MATCH (a), (b), (c) RETURN collect(a), collect(b), collect(c) LIMIT 1',
      ]
      return crowd(8, index => cypher(target, queries[index % queries.length]!))
    },
    answers: [200, 429, 503],
    holds: answers =>
      answers.some(({ text }) => text.includes('QUERY_TOO_LARGE')) ? undefined : 'no query was too large',
  },
  {
    name: 'uploads of tiny parts without a ticket or key, 8 at once',
    run: target => {
      const body = tinyParts(15 * mebibyte)
      return crowd(8, () => multipart(target, '/mcp/uploads?ticket=none', undefined, body))
    },
    answers: [401, 404, 413, 422, 429],
  },
  {
    name: 'uploads of tiny parts with a key, 32 at once',
    run: target => {
      const body = tinyParts(mebibyte)
      const path = `/api/v1/attachments/${target.boardId}/${target.cardId}`
      return crowd(32, () => multipart(target, path, target.editorKey, body))
    },
    answers: [413, 422, 429],
  },
  {
    name: 'whole bodies, 8 at once',
    sendsWholeBodies: true,
    run: target => {
      const body = JSON.stringify({ title: 'x', description: 'y'.repeat(7 * mebibyte) })
      return crowd(8, () =>
        send(target, 'POST', `/api/v1/boards/${target.boardId}/ideations`, { key: target.viewerKey, body }),
      )
    },
    answers: [403],
  },
  {
    name: 'whole bodies over MCP, 8 at once',
    sendsWholeBodies: true,
    run: async target => {
      const create = (fields: object) => ({
        name: 'create_ideation',
        arguments: { board_id: target.boardId, ...fields },
      })
      const call = { name: 'call_operation', arguments: create({ title: 'x', scope_assessment: wideJson(100_000) }) }
      const calls = [
        create({ title: 'x', description: 'y'.repeat(3 * mebibyte) }),
        create({ title: 'x', labels: Array.from({ length: mebibyte }, () => 0) }),
        create({ title: 'x', labels: `[${'0,'.repeat(mebibyte)}0]` }),
        create({ title: 'x', scope_assessment: wideJson(200_000) }),
        create(wideJson(200_000)),
        call,
        { name: 'run_operations', arguments: { calls: [call.arguments] } },
        {
          name: 'run_operations',
          arguments: { calls: [create({ labels: Array.from({ length: 500_000 }, () => '${a}') })] },
        },
      ]
      // Making these takes seconds; connections that the service closed meanwhile are noticed in a turn.
      await new Promise(resolve => setTimeout(resolve, 100))
      return crowd(8, index => sendMcp(target, target.viewerKey, 'tools/call', calls[index]!))
    },
    answers: [200],
  },
  {
    name: '64 KiB of anything, 32 callers, 20 times each',
    run: target => {
      const bodies = [
        `[${'0,'.repeat(32 * 1024 - 8)}0]`,
        `{"labels":[${'0,'.repeat(32 * 1024 - 16)}0]}`,
        JSON.stringify({ title: 'x'.repeat(64 * 1024 - 32) }),
        `${'['.repeat(32 * 1024)}${']'.repeat(32 * 1024)}`,
        '{'.repeat(64 * 1024),
      ]
      return crowd(32, async index => {
        const answers: Told[] = []
        for (let turn = 0; turn < 20; turn++)
          answers.push(await patchSpec(target, bodies[(index + turn) % bodies.length]!))
        return answers
      })
    },
    answers: [400, 422, 429],
  },
  {
    name: 'wrong keys, 400 from one address',
    run: target =>
      crowd(40, async () => {
        const answers: Told[] = []
        for (let turn = 0; turn < 10; turn++)
          answers.push(await send(target, 'GET', '/api/v1/boards', { key: `dash_${'0'.repeat(48)}` }))
        return answers
      }),
    answers: [401, 429],
    holds: answers => (answers.some(({ status }) => status === 429) ? undefined : 'nobody was told to wait'),
  },
]
