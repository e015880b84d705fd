/**
 * Sends test reports that nobody should believe: entities, depth, bombs, cut files, random bytes. None may make
 * anything pass, none may cause an internal error, and the service must keep answering.
 */
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Client } from '@specboard/client'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'

/** A name of the scenario, so that an accepted report would make it pass. */
const named = (ref: string): string => `<testcase classname="shop" name="${ref}/s1 sells"/>`

const whole = (ref: string): string => `<testsuite name="shop">${named(ref)}</testsuite>`

const someOf = (bytes: Buffer, share: number): Buffer => bytes.subarray(0, Math.floor(bytes.length * share))

/** Bytes with some of them replaced. */
function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let count = 0; count < 8; count++) copy[Math.floor(Math.random() * copy.length)] = randomBytes(1)[0]!
  return copy
}

const entities = Array.from({ length: 12 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`).join(
  '',
)

/** Files that are always refused. */
const refused: Readonly<Record<string, (ref: string) => Buffer>> = {
  entities: ref => Buffer.from(`<!DOCTYPE t [<!ENTITY e0 "lol">${entities}]><testsuite>&e12;${named(ref)}</testsuite>`),
  'an external entity': ref =>
    Buffer.from(
      `<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite name="&x;">${named(ref)}</testsuite>`,
    ),
  depth: ref => Buffer.from(`${'<testsuite>'.repeat(5_000)}${named(ref)}${'</testsuite>'.repeat(5_000)}`),
  'deep TAP': ref =>
    Buffer.from(Array.from({ length: 200 }, (_, at) => `${' '.repeat(at * 4)}# Subtest: ${ref}/s1`).join('\n')),
  'a bomb': ref => gzipSync(Buffer.from(`<testsuite>${' '.repeat(40 << 20)}${named(ref)}</testsuite>`)),
  'a cut XML file': ref => someOf(Buffer.from(whole(ref)), 0.5 + Math.random() * 0.4),
  'a cut TAP file': ref => Buffer.from(`TAP version 14\n1..9\nok 1 - ${ref}/s1 sells\n`),
  'a cut CTRF file': ref => someOf(ctrf(ref), 0.5 + Math.random() * 0.4),
  'a cut gzip file': ref => someOf(gzipSync(Buffer.from(whole(ref))), 0.5),
  'random bytes': () => randomBytes(1 + Math.floor(Math.random() * 4_096)),
  'random bytes that say gzip': () => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), randomBytes(512)]),
  nothing: () => Buffer.alloc(0),
  words: ref => Buffer.from(`${ref}/s1 passed, honestly.`),
}

const ctrf = (ref: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      results: {
        tool: { name: 'shop' },
        summary: { tests: 1, passed: 1, failed: 0, pending: 0, skipped: 0, other: 0, start: 0, stop: 1 },
        tests: [{ name: `${ref}/s1 sells`, status: 'passed', duration: 1 }],
      },
    }),
  )

export default scenario({
  summary: 'reports of entities, depth, bombs, cut files and random bytes: none passes anything, none is a fault',
  options: { files: 2_000 },
  short: { files: 40 },
  run: async (lab, { files }) => {
    const server = await lab.start()
    const { client } = server
    const { id: board_id } = await client.createBoard({ name: 'Hostile', description: '' })
    const { id: spec_id, ref } = await client.createSpec({
      board_id,
      title: 'Spec',
      status: 'approved',
      test_scenarios: [{ id: 's1', title: 'Sells', given: 'a shop', when: 'one buys', then: 'it is sold' }],
    })
    const { faults, answers, passes } = await storm(server, board_id, ref, files)
    const row = lab.report.table('file', 'sent', 'refused', 'answered', 'passed', 'faults')
    for (const [name, counts] of answers)
      row(name, counts.sent, counts.refused, counts.answered, counts.passed, counts.faults)
    const status = await statusOf(client, spec_id)
    lab.report.figure('hostile reports', { files, passes, faults, 'the scenario is': status })
    lab.report.expect(passes === 0, `${passes} hostile files passed something`)
    lab.report.expect(faults === 0, `${faults} hostile files were a fault of the service`)
    lab.report.expect(status === 'draft' || status === 'ready', `the scenario became ${status}`)
  },
})

const statusOf = async (client: Client, spec_id: string): Promise<string> =>
  (await client.getSpec({ spec_id })).test_scenarios![0]!.status

/** Sends files of every kind in turn; every fourth is also damaged. */
async function storm({ url, headers }: Service, board_id: string, ref: string, files: number) {
  const kinds = Object.entries(refused)
  const answers = new Map(kinds.map(([name]) => [name, { sent: 0, refused: 0, answered: 0, passed: 0, faults: 0 }]))
  for (let at = 0; at < files; at++) {
    const [name, make] = kinds[at % kinds.length]!
    const bytes = make(ref)
    const form = new FormData()
    const content = at % 4 === 3 && bytes.length > 0 ? damaged(bytes) : bytes
    form.append('file', new Blob([new Uint8Array(content)]), 'report.xml')
    const { 'content-type': _, ...own } = headers
    const answer = await fetch(`${url}/api/v1/boards/${board_id}/test-reports`, {
      method: 'POST',
      headers: own,
      body: form,
    })
    const body = (await answer.json()) as { outcome?: string }
    const counts = answers.get(name)!
    counts.sent++
    if (answer.status >= 500) counts.faults++
    else if (answer.status >= 400) counts.refused++
    else counts.answered++
    if (body.outcome === 'passed') counts.passed++
  }
  const all = [...answers.values()]
  return {
    answers,
    passes: all.reduce((total, { passed }) => total + passed, 0),
    faults: all.reduce((total, { faults }) => total + faults, 0),
  }
}
