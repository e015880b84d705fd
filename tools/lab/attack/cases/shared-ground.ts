import { Client } from 'pg'
import { type Attack, each } from '../attack.ts'
import { send, sendTool } from '../send.ts'
import type { Target } from '../target.ts'

const announcements = {
  'a word': 'x',
  nothing: '',
  'an object': '{"node":"a","names":["boards"]}',
  'a list that nobody signed': '["AAAA","node","boards"]',
  'a list of lists': `${'['.repeat(3_900)}${']'.repeat(3_900)}`,
  'a prototype': '{"__proto__":{"zz":1}}',
  'eight thousand signs': 'x'.repeat(7_900),
}

/** Notifies the nodes as another role of the database might, a hundred times. */
async function notify(payload: string, { databaseUrl, url }: Target) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let time = 0; time < 100; time++) await client.query("select pg_notify('specboard', $1)", [payload])
  } finally {
    await client.end()
  }
  const health = await fetch(`${url}/health`)
  return { status: health.status, text: await health.text(), length: 0 }
}

const unstorable = {
  'NUL in a path': '/api/v1/boards/a%00b',
  'half a pair in a path': '/api/v1/cards/%ED%A0%80',
  'NUL in a query': '/api/v1/boards/{board}/cards?q=a%00b',
  'half a pair in a query': '/api/v1/boards/{board}/events?action=%ED%B0%80',
  'no UTF-8 in a path': '/api/v1/cards/%ff%fe',
}

/** A PostgreSQL server shared with others, and texts that it cannot store (walls 6). */
export const sharedGround: readonly Attack[] = [
  {
    name: 'announcements that no node has signed',
    engine: 'postgres',
    answers: { nobody: [200] },
    variations: each(announcements, notify),
  },
  {
    name: 'NUL and halves of surrogate pairs',
    answers: { nobody: [401, 404, 422], none: [400, 403, 404, 422], viewer: [400, 404, 422] },
    variations: {
      ...each(unstorable, (path, target, key) => send(target, 'GET', path.replace('{board}', target.boardId), { key })),
      'NUL in an argument': (target, key) => sendTool(target, key, 'get_card', { card_id: 'a\u0000b' }),
      'half a pair in an argument': (target, key) => sendTool(target, key, 'search_records', { query: '\ud800' }),
    },
  },
]
