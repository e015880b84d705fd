// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of run_operations
import { type Attack, crowd, each, inTurn } from '../attack.ts'
import { type ReceivedAnswer, send, sendMcp, sendTool } from '../send.ts'
import type { Target } from '../target.ts'

const mebibyte = 1 << 20

/** Maximum number of characters that 101 items of a 422 take. */
const maxItemsLength = 64 << 10

type Key = string | undefined

const patchSpec = (body: string, target: Target, key: Key): Promise<ReceivedAnswer> =>
  send(target, 'PATCH', `/api/v1/specs/${target.specId}`, { key, body })

const createIdeation = (fields: object, target: Target, key: Key): Promise<ReceivedAnswer> =>
  send(target, 'POST', `/api/v1/boards/${target.boardId}/ideations`, { key, body: JSON.stringify(fields) })

const scenario = (id: string) => ({ id, title: 'x' })

const scenarios = (count: number, ids: number) =>
  JSON.stringify({ test_scenarios: Array.from({ length: count }, (_, index) => scenario(`s${index % ids}`)) })

const references = () => {
  const linked_criteria = Array.from({ length: 500 }, (_, index) => `no criterion ${index}`)
  return JSON.stringify({
    acceptance_criteria: Array.from({ length: 500 }, (_, index) => `criterion ${index}`),
    test_scenarios: Array.from({ length: 300 }, (_, index) => ({ ...scenario(`s${index}`), linked_criteria })),
  })
}

const wideJson = (members: number) =>
  Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, 0]))

const multipart = (target: Target, path: string, key: Key, bytes: number): Promise<ReceivedAnswer> => {
  const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nx\r\n'
  return send(target, 'POST', path, {
    key,
    body: new Blob([`${part.repeat(Math.floor(bytes / part.length))}--b--\r\n`]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
}

const mcpBodies = ({ boardId }: Target) => {
  const create = (fields: object) => ({ name: 'create_ideation', arguments: { board_id: boardId, ...fields } })
  const call = { name: 'call_operation', arguments: create({ title: 'x', scope_assessment: wideJson(100_000) }) }
  return [
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
}

/** Bodies that are large, deep, wide, faulty or never parsed (trust 1). */
export const bodies: readonly Attack[] = [
  {
    name: 'duplicate ids, as many as a body holds',
    answers: { editor: [400, 413, 422] },
    variations: each({ '200,000': scenarios(200_000, 99_999), '500': scenarios(500, 250) }, patchSpec),
  },
  {
    name: 'four million faults in one body',
    answers: { editor: [413, 422] },
    variations: each(
      {
        'one list': `{"functional_requirements":[${'0,'.repeat(4 * mebibyte - 64)}0]}`,
        labels: JSON.stringify({ labels: Array.from({ length: 400 }, () => 0) }),
      },
      patchSpec,
    ),
    holds: answers =>
      answers.some(({ length }) => length > maxItemsLength) ? 'an answer is longer than 101 items' : undefined,
  },
  {
    name: 'references by the hundred thousand',
    answers: { editor: [400, 422] },
    variations: each({ criteria: references() }, patchSpec),
  },
  {
    name: 'free JSON: deep, wide, long',
    answers: { editor: [413, 422] },
    sendsWholeBodies: true,
    variations: each<unknown>(
      {
        deep: JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
        wide: wideJson(300_000),
        long: { long: 'x'.repeat(1_000_001) },
      },
      (scope_assessment, target, key) => createIdeation({ title: 'x', scope_assessment }, target, key),
    ),
  },
  {
    name: 'a tool, prompt, resource and operation of 40 kB and of 4 MB',
    answers: { none: [200, 400, 404, 413, 422], viewer: [200, 400, 404, 413, 422] },
    variations: {
      'a tool of 40 kB': (target, key) => sendTool(target, key, 'get_carrd_'.repeat(4_000)),
      'a tool': (target, key) => sendTool(target, key, 'x'.repeat(4 * mebibyte)),
      'a prompt': (target, key) => sendMcp(target, key, 'prompts/get', { name: 'x'.repeat(4 * mebibyte) }),
      'a resource': (target, key) =>
        sendMcp(target, key, 'resources/read', { uri: `specboard://${'x'.repeat(4 * mebibyte)}` }),
      'an operation': (target, key) =>
        sendTool(target, key, 'run_operations', { operations: [{ name: 'x'.repeat(4 * mebibyte), arguments: {} }] }),
      'words of a search': (target, key) =>
        sendTool(target, key, 'find_operations', { query: 'get_carrd_'.repeat(4_000) }),
    },
  },
  {
    name: 'uploads of tiny parts, 8 and 32 at once',
    answers: { nobody: [401, 404, 413, 422, 429], none: [401, 403, 404, 413, 422, 429], editor: [404, 413, 422, 429] },
    isLong: true,
    variations: {
      'by a ticket that is none': (target, key) =>
        crowd(8, () => multipart(target, '/mcp/uploads?ticket=none', key, 15 * mebibyte)),
      'to a card': (target, key) =>
        crowd(32, () => multipart(target, `/api/v1/attachments/${target.boardId}/${target.cardId}`, key, mebibyte)),
    },
  },
  {
    name: 'whole bodies, 8 at once',
    answers: { nobody: [401], none: [403, 404], viewer: [403, 422] },
    sendsWholeBodies: true,
    variations: {
      'a description of 7 MiB': (target, key) =>
        crowd(8, () => createIdeation({ title: 'x', description: 'y'.repeat(7 * mebibyte) }, target, key)),
    },
  },
  {
    name: 'whole bodies over MCP, 8 at once',
    answers: { none: [200, 400, 403, 413, 422, 503], viewer: [200, 400, 403, 413, 422, 503] },
    sendsWholeBodies: true,
    isLong: true,
    variations: {
      'all kinds at once': (target, key) => {
        const calls = mcpBodies(target)
        return crowd(8, index => sendMcp(target, key, 'tools/call', calls[index]))
      },
    },
  },
  {
    name: '64 KiB of anything, 32 callers, 20 times each',
    answers: { none: [400, 403, 413, 422, 429], editor: [400, 413, 422, 429] },
    isLong: true,
    variations: each(
      {
        'a list': `[${'0,'.repeat(32 * 1024 - 8)}0]`,
        labels: `{"labels":[${'0,'.repeat(32 * 1024 - 16)}0]}`,
        'a title': JSON.stringify({ title: 'x'.repeat(64 * 1024 - 32) }),
        depth: `${'['.repeat(32 * 1024)}${']'.repeat(32 * 1024)}`,
        braces: '{'.repeat(64 * 1024),
      },
      (body, target, key) => crowd(32, () => inTurn(4, () => patchSpec(body, target, key))),
    ),
  },
]
