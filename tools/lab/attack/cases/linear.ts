import { zipOf } from '../../../../apps/cli/test/support/zip-entries.ts'
import { type Attack, each } from '../attack.ts'
import { send, sendImport, sendTool } from '../send.ts'

/** Header values that end in another character, so that nothing trims them. */
const fillings = {
  tabs: '\t'.repeat(15_000),
  blanks: ' '.repeat(15_000),
  commas: ','.repeat(15_000),
  weights: 'gzip;q=0.5 ;'.repeat(1_200),
  quotes: '"'.repeat(15_000),
}

const headers = ['accept-encoding', 'accept', 'content-type', 'if-match', 'cookie', 'x-session-half', 'range', 'origin']

const filled = Object.fromEntries(
  headers.flatMap(header =>
    Object.entries(fillings).map(([name, filling]) => [`${header} of ${name}`, { [header]: `a${filling}x` }] as const),
  ),
)

const design = (elements: number, entities: number) => ({
  title: 'T',
  global_description: 'D',
  entities: Array.from({ length: entities }, () => ({ technologies: Array(50).fill(1) })),
  interfaces: [],
  diagrams: [
    { title: 'D', adapter_payload: { elements: Array.from({ length: elements }, () => ({ linkedEntityId: 'x' })) } },
  ],
})

const blanks = ' '.repeat(199_000)

/** Texts of a spec that would make a backtracking parser of the graph slow. */
const contexts = {
  'more than a text has': `## Alternatives\n- ${' '.repeat(250_000)}\u2028`,
  'a bullet of blanks': `## Alternatives\n- ${blanks}\u2028x`,
  'a heading of blanks': `##${blanks}x`,
  'a heading of marks': `# ${' #'.repeat(90_000)}x`,
  'full stops': `${'.'.repeat(199_000)}x`,
  'nearly technologies': 'apache kafk '.repeat(16_000),
}

const files = {
  'a heading of blanks': ['tasks.md', `# Tasks\n##${' '.repeat(90_000)}x\n- [ ] T001 Paint\n`],
  'a task of marks': ['tasks.md', `# Tasks\n\n## Phase 1\n- [ ] T001 ${'[P] '.repeat(20_000)}\u2028\n`],
  'fences that nothing closes': ['tasks.md', `# Tasks\n- [ ] T001 Paint\n${'```a\n'.repeat(100_000)}`],
  'a line of blanks': ['issues.jsonl', ' '.repeat(1_000_000)],
  'a time of parentheses': ['issues.csv', `id,title,created\n1,One,${'1Z ('.repeat(20_000)}\n`],
  'a cell that nothing closes': ['issues.csv', `id,title\n${'"'.repeat(99_999)}\n`],
} as const

/** Hundreds of bytes that unpack to very many. */
const bombs = {
  'blanks in one file': [1, 200_000],
  'blanks in forty files': [40, 1 << 19],
} as const

/** Inputs that would make a backtracking parser slow (walls 3). */
export const linear: readonly Attack[] = [
  {
    name: 'headers of 15,000 signs',
    answers: {
      nobody: [200, 400, 401, 403, 406, 415, 416, 422, 431],
      none: [200, 400, 401, 403, 404, 406, 415, 416, 422, 431],
    },
    variations: each(filled, (more, target, key) =>
      send(target, 'GET', key === undefined ? '/health' : '/api/v1/me/permissions', { key, headers: more }),
    ),
  },
  {
    name: 'base64 and paths of fields without an end',
    answers: { none: [400, 403, 404, 413, 422], viewer: [400, 403, 404, 413, 422] },
    variations: {
      ...each(
        {
          padding: '='.repeat(60_000),
          'line breaks': `${'\n'.repeat(60_000)}=`,
          'a faulty end': `${'A'.repeat(600_001)}`,
        },
        (content_base64, target, key) =>
          sendTool(target, key, 'upload_attachment', {
            board_id: target.boardId,
            card_id: target.cardId,
            filename: 'a.txt',
            content_base64,
          }),
      ),
      ...each(
        {
          'paths as one text': Array(200_000).fill('a.b').join(','),
          'paths as a list': Array(200_000).fill('a.b'),
          'a path of many steps': Array(1_900).fill('a').join('.'),
        } as Readonly<Record<string, unknown>>,
        (fields, target, key) => sendTool(target, key, 'get_my_permissions', { fields }),
      ),
    },
  },
  {
    name: 'designs to validate',
    answers: { nobody: [401, 413], none: [403, 413, 422], viewer: [200, 413, 422] },
    variations: each(
      { '77 kB': design(1_500, 80), '500 entities, 20,000 elements': design(20_000, 500) },
      (body, target, key) => send(target, 'POST', '/api/v1/architecture/validate', { key, body: JSON.stringify(body) }),
    ),
    holds: answers => (answers.some(({ length }) => length > 200_000) ? 'an answer has no end' : undefined),
  },
  {
    name: 'texts of a spec that the graph reads',
    answers: { none: [403, 422], editor: [200, 422] },
    variations: each(contexts, (context, target, key) =>
      send(target, 'PATCH', `/api/v1/specs/${target.specId}`, { key, body: JSON.stringify({ context }) }),
    ),
  },
  {
    name: 'files of other tools',
    answers: { nobody: [401], none: [403], full: [200, 201, 400] },
    variations: each<readonly [name: string, text: string]>(files, ([name, text], target, key) =>
      sendImport(target, key, text, '?dry_run=true', name),
    ),
  },
  {
    name: 'zips that unpack to much',
    answers: { nobody: [401], none: [403], full: [400] },
    variations: each<readonly [count: number, length: number]>(bombs, async ([count, length], target, key) => {
      const entries = Array.from({ length: count }, (_, at) => [`${at}.txt`, ' '.repeat(length)] as const)
      return sendImport(target, key, Uint8Array.from(await zipOf(entries)), '?dry_run=true')
    }),
  },
]
