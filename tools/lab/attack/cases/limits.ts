import { type Attack, crowd, each } from '../attack.ts'
import { begin, type ReceivedAnswer, send, type UnfinishedRequest } from '../send.ts'
import type { Target } from '../target.ts'

/** 8 MiB from which a parser would create four million objects. */
const manyObjects = `[${'{},'.repeat(2_796_000)}{}]`

const manyParts = {
  'a new board': '/api/v1/boards',
  'a move of a spec': '/api/v1/specs/{spec}/move',
  MCP: '/mcp',
}

const asTold = async ({ answer }: UnfinishedRequest): Promise<ReceivedAnswer> => ({
  status: await answer,
  text: '',
  length: 0,
})

/** Begins uploads that never end, and collects their answers. */
async function dripping(count: number, target: Target, key: string | undefined): Promise<ReceivedAnswer[]> {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    'content-type': 'multipart/form-data; boundary=b',
  }
  const start = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello'
  const path = `/api/v1/attachments/${target.boardId}/${target.cardId}`
  const uploads = await Promise.all(Array.from({ length: count }, () => begin(target, path, headers, start)))
  const answers = await Promise.all(uploads.map(asTold))
  for (const { end } of uploads) end()
  return answers
}

/** Uploads by others while the editor's own are trickling in. */
async function besideDripping(target: Target, key: string | undefined): Promise<ReceivedAnswer[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' }
  const start = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello'
  const path = `/api/v1/attachments/${target.boardId}/${target.cardId}`
  const uploads = await Promise.all(Array.from({ length: 16 }, () => begin(target, path, headers, start)))
  // Four of them wait; the others are answered at once.
  const answered = await Promise.race(uploads.map(asTold))
  const body = new FormData()
  body.set('file', new File(['hello'], 'a.txt'))
  const beside = await send(target, 'POST', path, { key: target.ownerKey, body })
  for (const { end } of uploads) end()
  return [answered, beside]
}

/** Sends the first half of many bodies at once, while others are served. */
async function halfBodies(target: Target, key: string | undefined): Promise<ReceivedAnswer[]> {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    'content-type': 'application/json',
    'content-length': 2 << 20,
  }
  const path = `/api/v1/boards/${target.boardId}/ideations`
  const start = `{"title":"${'x'.repeat(1 << 20)}`
  const bodies = await Promise.all(Array.from({ length: 100 }, () => begin(target, path, headers, start)))
  const beside = await send(target, 'GET', `/api/v1/boards/${target.boardId}`, { key: target.ownerKey })
  for (const { end } of bodies) end()
  return [beside, ...(await Promise.all(bodies.map(asTold)))]
}

/** Limits that apply before anything is read (walls 4). */
export const limits: readonly Attack[] = [
  {
    name: 'four million objects',
    answers: { nobody: [401, 413], none: [400, 403, 404, 413, 422], editor: [400, 404, 413, 422] },
    variations: each(manyParts, (path, target, key) =>
      send(target, 'POST', path.replace('{spec}', target.specId), { key, body: manyObjects }),
    ),
  },
  {
    name: 'uploads that do not end, by whoever may not upload',
    answers: { nobody: [401], none: [403] },
    variations: { '16 at once': (target, key) => dripping(16, target, key) },
    afterwards: async target => {
      const body = new FormData()
      body.set('file', new File(['hello'], 'a.txt'))
      const path = `/api/v1/attachments/${target.boardId}/${target.cardId}`
      const { status } = await send(target, 'POST', path, { key: target.keys.editor, body })
      return status === 201 ? undefined : `an upload is answered ${status}`
    },
  },
  {
    name: 'uploads that do not end, beside those of others',
    answers: { editor: [201, 429] },
    variations: { '16 at once': besideDripping },
    holds: answers => (answers.some(({ status }) => status === 201) ? undefined : 'nobody else could upload'),
  },
  {
    name: 'bodies that do not end',
    answers: { nobody: [0, 200, 401], none: [0, 200, 403, 413, 503], editor: [0, 200, 413, 503] },
    variations: { '100 at once': halfBodies },
    holds: ([beside]) => (beside?.status === 200 ? undefined : 'others were not served'),
  },
]

/** Comes last, because it slows further requests from the address. */
export const signIns: readonly Attack[] = [
  {
    name: 'sign-ins of 8 MB, 8 at once',
    answers: { nobody: [403, 413, 429] },
    variations: {
      'a key of 8 MB': target =>
        crowd(8, () =>
          send(target, 'POST', '/web/session', {
            body: JSON.stringify({ key: 'x'.repeat(8_000_000) }),
            headers: { 'sec-fetch-site': 'same-origin' },
          }),
        ),
      'four million objects': target =>
        crowd(8, () =>
          send(target, 'POST', '/web/session', { body: manyObjects, headers: { 'sec-fetch-site': 'same-origin' } }),
        ),
    },
  },
  {
    name: 'wrong keys and refused sign-ins, 400 from one address',
    answers: { nobody: [401, 413, 422, 429] },
    variations: {
      keys: target => crowd(200, () => send(target, 'GET', '/api/v1/boards', { key: `dash_${'0'.repeat(48)}` })),
      'sign-ins': target =>
        crowd(200, () =>
          send(target, 'POST', '/web/session', { body: '{}', headers: { 'sec-fetch-site': 'same-origin' } }),
        ),
    },
    holds: answers => (answers.some(({ status }) => status === 429) ? undefined : 'nobody was told to wait'),
  },
]
